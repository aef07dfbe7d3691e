//! Liveness, readiness and metrics of the server.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use croupier_store::Status;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::config::MetricsAccess;
use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The timeout for the database in a readiness check.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The bounds of the histogram of request times, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// The metrics of the process. A process has only one recorder.
static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Starts to record metrics.
pub(crate) fn install_recorder() {
    METRICS.get_or_init(|| {
        let name = Matcher::Suffix("_seconds".to_owned());
        let builder = PrometheusBuilder::new().set_buckets_for_metric(name, &BUCKETS);
        builder.ok().and_then(|builder| builder.install_recorder().ok())
    });
}

/// Runs the upkeep of the recorded metrics.
pub(crate) fn run_upkeep() {
    if let Some(Some(metrics)) = METRICS.get() {
        metrics.run_upkeep();
    }
}

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(read_metrics))
}

async fn ready(State(state): State<AppState>) -> Result<&'static str, Problem> {
    if state.stopping.is_cancelled() {
        return Err(Problem::new(Code::Unavailable, "the server is shutting down"));
    }
    if !state.heartbeat.is_healthy() {
        let detail = "the database cannot write: is the disk full?";
        return Err(Problem::new(Code::Unavailable, detail).retry_after(1));
    }
    match tokio::time::timeout(DATABASE_TIMEOUT, state.store().clock()).await {
        Ok(Ok(_)) => Ok("ready\n"),
        Ok(Err(_)) | Err(_) => Err(Problem::from(Code::Unavailable).retry_after(1)),
    }
}

async fn read_metrics(
    State(state): State<AppState>,
    peer: Option<axum::Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
) -> Response {
    let here = peer.is_some_and(|peer| peer.0.0.ip().to_canonical().is_loopback());
    let proxied = headers.contains_key("x-forwarded-for") || headers.contains_key("forwarded");
    let allowed = match state.config.metrics {
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
