//! The server: it listens, answers, and shuts down cleanly.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, Request, header};
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use croupier_store::{Database, StoreError};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tower::ServiceExt;
use utoipa::OpenApi;
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::router::OpenApiRouter;

use crate::background::retirement;
use crate::config::Config;
use crate::http::connections::{self, Connections};
use crate::http::guard::{MAX_BODY, guard};
use crate::http::problem::{Code, Problem};
use crate::http::{health, page};
use crate::state::AppState;
use crate::{analysis, background, history, lobby, operator, people, tables};

/// How long a peer may leave sent data unacknowledged. After that it is gone, or has stopped
/// reading.
const ACKNOWLEDGMENT_TIMEOUT: Duration = Duration::from_secs(40);

/// The timeout for recording the shutdown in the database.
const RECORD_TIMEOUT: Duration = Duration::from_secs(2);

/// How long requests have to finish when the server stops.
const GRACE: Duration = Duration::from_secs(10);

/// The HTTP API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Croupier",
        description = "Tables of Ultimate Texas Hold'em and Ultimate Three Card Poker, and the \
                       exact odds of both. Play money only. Amounts are in cents, times in \
                       milliseconds since 1970 (UTC). Errors are returned as a problem \
                       (RFC 9457) whose `code` never changes its meaning.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "people", description = "Guests, accounts and sessions"),
        (name = "lobby", description = "Finding, opening and joining tables"),
        (name = "tables", description = "The state of one table, and commands to it"),
        (name = "history", description = "Completed rounds"),
        (name = "analysis", description = "Rules and numbers"),
        (name = "operator", description = "For operators"),
    )
)]
struct Api;

fn routes() -> (Router<AppState>, utoipa::openapi::OpenApi) {
    let mut api = Api::openapi();
    env!("CARGO_PKG_VERSION").clone_into(&mut api.info.version);
    let (router, mut api) = OpenApiRouter::with_openapi(api)
        .merge(people::router())
        .merge(lobby::router())
        .merge(tables::router())
        .merge(history::router())
        .merge(analysis::router())
        .merge(operator::router())
        .split_for_parts();
    let components = api.components.get_or_insert_default();
    let token = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    components.add_security_scheme("token", token);
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("croupier")));
    components.add_security_scheme("cookie", cookie);
    components.schemas.values_mut().for_each(close_variants);
    (router, api)
}

/// Adds to the schemas of commands that they have no other fields, since the deserializer rejects
/// those.
fn close_variants(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::OneOf(one_of)) = schema else { return };
    for item in &mut one_of.items {
        if let RefOr::T(Schema::Object(object)) = item
            && object.properties.contains_key("command")
        {
            object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        }
    }
}

/// Returns the OpenAPI description of the interface, generated from the code, as JSON.
///
/// # Panics
///
/// Never: it is plain data.
pub fn openapi() -> String {
    let mut text = serde_json::to_string_pretty(&routes().1).expect("plain data");
    text.push('\n');
    text
}

/// Combines all endpoints.
fn app(state: &AppState) -> Router {
    let (router, api) = routes();
    let description: Arc<str> = serde_json::to_string(&api).unwrap_or_default().into();
    let json = HeaderValue::from_static("application/json");
    let describe = move || async move { ([(header::CONTENT_TYPE, json)], description.to_string()) };
    router
        .route("/api/openapi.json", get(describe))
        .merge(page::router())
        .merge(health::router())
        .method_not_allowed_fallback(|| async { Problem::from(Code::WrongMethod) })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(state.clone(), guard))
        .with_state(state.clone())
}

/// A running server.
pub struct Server {
    address: SocketAddr,
    state: AppState,
    listening: JoinHandle<()>,
    background: JoinHandle<()>,
    retiring: JoinHandle<()>,
}

impl Server {
    /// Starts a server over a database.
    ///
    /// # Errors
    ///
    /// When the database cannot be used, or the server cannot listen on the address.
    pub async fn start(store: Database, config: Config) -> Result<Self, ServerError> {
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(|error| ServerError::Listen(config.listen, error))?;
        let address =
            listener.local_addr().map_err(|error| ServerError::Listen(config.listen, error))?;
        health::install_recorder();
        let connections = match config.limits.connections {
            0 => Semaphore::MAX_PERMITS,
            most => most as usize,
        };
        let state = AppState::new(store, config).await?;
        let app = app(&state);
        let accepting = accept(state.clone(), listener, app, Arc::new(Semaphore::new(connections)));
        let listening = tokio::spawn(accepting);
        let background = tokio::spawn(background::run(state.clone()));
        let retiring = tokio::spawn(retirement::run(state.clone()));
        state
            .record_incident(
                "server-started",
                "server",
                json!({ "version": env!("CARGO_PKG_VERSION") }),
            )
            .await;
        Ok(Self { address, state, listening, background, retiring })
    }

    /// Returns the address it listens on.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops the server: accepts no more requests, and lets the current ones finish.
    pub async fn stop(self) {
        self.state.stopping.cancel();
        // An unreachable database must not keep the server from stopping.
        let recorded = self.state.record_incident("server-stopped", "server", json!({}));
        let _ = tokio::time::timeout(RECORD_TIMEOUT, recorded).await;
        let _ = self.background.await;
        let _ = self.retiring.await;
        let _ = self.listening.await;
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

async fn accept(state: AppState, listener: TcpListener, app: Router, connections: Arc<Semaphore>) {
    let graceful = GracefulShutdown::new();
    let per_address = Connections::new(&state.config);
    loop {
        let next = async {
            // All slots may be taken by connections that stay open until the server stops.
            let permit = Arc::clone(&connections).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (Ok(permit), accepted) = (tokio::select! {
            next = next => next,
            () = state.stopping.cancelled() => break,
        }) else {
            break;
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // The process is out of file descriptors, for example: wait until some are free.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Some(own_permit) = per_address.admit(peer.ip()) else {
            connections::refuse(&stream);
            continue;
        };
        set_up(&stream);
        let app = app.clone();
        let service = service_fn(move |request: Request<hyper::body::Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            app.clone().oneshot(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(state.config.timeouts.request_head)
            .max_buf_size(MAX_BODY)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _permits = (permit, own_permit);
            metrics::gauge!("croupier_connections").increment(1);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
            metrics::gauge!("croupier_connections").decrement(1);
        });
    }
    drop(listener);
    if tokio::time::timeout(GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

fn set_up(stream: &TcpStream) {
    let socket = socket2::SockRef::from(stream);
    let done = socket.set_tcp_nodelay(true);
    #[cfg(target_os = "linux")]
    let done = done.and_then(|()| socket.set_tcp_user_timeout(Some(ACKNOWLEDGMENT_TIMEOUT)));
    if let Err(error) = done {
        tracing::debug!(%error, "a connection could not be set up");
    }
}

/// Why a server fails to start.
#[derive(Debug)]
pub enum ServerError {
    /// The server cannot listen on the address.
    Listen(SocketAddr, std::io::Error),
    /// The database cannot be used.
    Store(StoreError),
}

impl From<StoreError> for ServerError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen(address, error) if error.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "{address} is in use: stop the program using it, or choose another with --listen"
            ),
            Self::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl Error for ServerError {}
