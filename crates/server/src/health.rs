//! Whether the server lives, whether it can do its work, and what it has been doing.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use croupier_store::Store;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::config::MetricsAccess;
use crate::problem::{Code, Problem};
use crate::room::Room;

/// How long the database may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(2);

/// The bounds of the histogram of how long requests take, in seconds.
const SECONDS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// There is one place for metrics in a process.
static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Begins to count.
pub(crate) fn begin() {
    METRICS.get_or_init(|| {
        let name = Matcher::Suffix("_seconds".to_owned());
        let builder = PrometheusBuilder::new().set_buckets_for_metric(name, &SECONDS);
        builder.ok().and_then(|builder| builder.install_recorder().ok())
    });
}

/// Tidies up what was counted.
pub(crate) fn tidy() {
    if let Some(Some(metrics)) = METRICS.get() {
        metrics.run_upkeep();
    }
}

pub(crate) fn router() -> Router<Room> {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(read_metrics))
}

async fn ready(State(room): State<Room>) -> Result<&'static str, Problem> {
    if room.stopping.is_cancelled() {
        return Err(Problem::new(Code::Unavailable, "the server is about to stop"));
    }
    if !room.pulse.is_felt() {
        let words = "the database takes nothing that is written: is the disk full?";
        return Err(Problem::new(Code::Unavailable, words).retry_after(1));
    }
    match tokio::time::timeout(PATIENCE, room.store().clock()).await {
        Ok(Ok(_)) => Ok("ready\n"),
        Ok(Err(_)) | Err(_) => Err(Problem::from(Code::Unavailable).retry_after(1)),
    }
}

async fn read_metrics(
    State(room): State<Room>,
    peer: Option<axum::Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
) -> Response {
    let here = peer.is_some_and(|peer| peer.0.0.ip().to_canonical().is_loopback());
    let proxied = headers.contains_key("x-forwarded-for") || headers.contains_key("forwarded");
    let allowed = match room.config.metrics {
        MetricsAccess::Off => false,
        MetricsAccess::Local => here && !proxied,
        MetricsAccess::Open => true,
    };
    let Some(Some(metrics)) = METRICS.get().filter(|_| allowed) else {
        return Problem::from(Code::NoSuchEndpoint).into_response();
    };
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], metrics.render()).into_response()
}
