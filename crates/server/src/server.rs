//! The server: it listens, answers, and stops without leaving anything half done.

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

use crate::config::Config;
use crate::connections::{self, Connections};
use crate::guard::guard;
use crate::problem::{Code, Problem};
use crate::room::Room;
use crate::{
    analysis, card_room, health, history, lobby, login, operator, page, people, report, stream,
    tables, wake,
};

/// How large the body of a request may be: a record of a round with seven seats is a tenth of it.
pub(crate) const BODY: usize = 64 * 1024;

/// How long a peer may leave what was sent to it unacknowledged. Then it is gone, or has stopped
/// reading.
const GONE: Duration = Duration::from_secs(40);

/// How long the database has to take note that the server stops.
const NOTE: Duration = Duration::from_secs(2);

/// How long requests have to come to their end when the server stops.
const GRACE: Duration = Duration::from_secs(10);

/// The interface for programs.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Croupier",
        description = "Tables of Ultimate Texas Hold'em and Ultimate Three Card Poker, and the \
                       exact odds of both. Play money only. Amounts are in cents, times in \
                       milliseconds since 1970 (UTC). What is refused is answered with a problem \
                       (RFC 9457) whose `code` never changes its meaning.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "people", description = "Guests, accounts and sessions"),
        (name = "lobby", description = "Tables to find, to open, and to play at"),
        (name = "tables", description = "One table: what to see, and what to ask of it"),
        (name = "history", description = "Rounds that are over"),
        (name = "analysis", description = "Rules and numbers"),
        (name = "operator", description = "For those who run the place"),
    )
)]
struct Api;

fn routes() -> (Router<Room>, utoipa::openapi::OpenApi) {
    let mut api = Api::openapi();
    env!("CARGO_PKG_VERSION").clone_into(&mut api.info.version);
    let (router, mut api) = OpenApiRouter::with_openapi(api)
        .merge(people::router())
        .merge(login::router())
        .merge(lobby::router())
        .merge(tables::router())
        .merge(stream::router())
        .merge(history::router())
        .merge(analysis::router())
        .merge(operator::router())
        .merge(report::router())
        .split_for_parts();
    let components = api.components.get_or_insert_default();
    let token = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    components.add_security_scheme("token", token);
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("croupier")));
    components.add_security_scheme("cookie", cookie);
    components.schemas.values_mut().for_each(close_variants);
    (router, api)
}

/// Says of the objects that a schema lets one choose from by their `command` that they have no
/// other fields: what reads them refuses those.
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

/// Returns the description of the interface, made from the code, as JSON.
///
/// # Panics
///
/// Never: it is plain data.
pub fn openapi() -> String {
    let mut text = serde_json::to_string_pretty(&routes().1).expect("plain data");
    text.push('\n');
    text
}

/// Puts all endpoints together.
fn app(room: &Room) -> Router {
    let (router, api) = routes();
    let description: Arc<str> = serde_json::to_string(&api).unwrap_or_default().into();
    let json = HeaderValue::from_static("application/json");
    let describe = move || async move { ([(header::CONTENT_TYPE, json)], description.to_string()) };
    router
        .route("/api/openapi.json", get(describe))
        .merge(page::router())
        .merge(health::router())
        .method_not_allowed_fallback(|| async { Problem::from(Code::WrongMethod) })
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(room.clone(), guard))
        .with_state(room.clone())
}

/// A server that is running.
pub struct Server {
    address: SocketAddr,
    room: Room,
    listening: JoinHandle<()>,
    waking: JoinHandle<()>,
    retiring: JoinHandle<()>,
}

impl Server {
    /// Starts a server over a database.
    ///
    /// # Errors
    ///
    /// When the database cannot be used, or the address cannot be listened at.
    pub async fn start(store: Database, config: Config) -> Result<Self, ServerError> {
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(|error| ServerError::Listen(config.listen, error))?;
        let address =
            listener.local_addr().map_err(|error| ServerError::Listen(config.listen, error))?;
        health::begin();
        let connections = match config.limits.connections {
            0 => Semaphore::MAX_PERMITS,
            most => most as usize,
        };
        let room = Room::new(store, config).await?;
        let app = app(&room);
        let accepting = accept(room.clone(), listener, app, Arc::new(Semaphore::new(connections)));
        let listening = tokio::spawn(accepting);
        let waking = tokio::spawn(wake::run(room.clone()));
        let retiring = tokio::spawn(card_room::retire(room.clone()));
        room.note("server-started", "server", json!({ "version": env!("CARGO_PKG_VERSION") }))
            .await;
        Ok(Self { address, room, listening, waking, retiring })
    }

    /// Returns where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops: takes no more requests, and lets those that are there come to their end.
    pub async fn stop(self) {
        self.room.stopping.cancel();
        // A database that is away must not keep a server from stopping.
        let note = self.room.note("server-stopped", "server", json!({}));
        let _ = tokio::time::timeout(NOTE, note).await;
        let _ = self.waking.await;
        let _ = self.retiring.await;
        let _ = self.listening.await;
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

async fn accept(room: Room, listener: TcpListener, app: Router, connections: Arc<Semaphore>) {
    let graceful = GracefulShutdown::new();
    let of_address = Connections::new(&room.config);
    loop {
        let next = async {
            // All places may be taken, by connections that nobody closes before the server stops.
            let place = Arc::clone(&connections).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (Ok(place), accepted) = (tokio::select! {
            next = next => next,
            () = room.stopping.cancelled() => break,
        }) else {
            break;
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // There are no more file descriptors, say: wait until there are.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Some(own_place) = of_address.admit(peer.ip()) else {
            connections::refuse(&stream);
            continue;
        };
        set_up(&stream);
        let app = app.clone();
        let answer = service_fn(move |request: Request<hyper::body::Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            app.clone().oneshot(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(room.config.times.head)
            .max_buf_size(BODY)
            .serve_connection(TokioIo::new(stream), answer);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _places = (place, own_place);
            metrics::gauge!("croupier_connections").increment(1);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
            metrics::gauge!("croupier_connections").decrement(1);
        });
    }
    drop(listener);
    if tokio::time::timeout(GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not come to their end in time");
    }
}

fn set_up(stream: &TcpStream) {
    let socket = socket2::SockRef::from(stream);
    let done = socket.set_tcp_nodelay(true);
    #[cfg(target_os = "linux")]
    let done = done.and_then(|()| socket.set_tcp_user_timeout(Some(GONE)));
    if let Err(error) = done {
        tracing::debug!(%error, "a connection could not be set up");
    }
}

/// Why a server does not start.
#[derive(Debug)]
pub enum ServerError {
    /// The address cannot be listened at.
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
                "{address} is in use: stop what listens there, or choose another with --listen"
            ),
            Self::Listen(address, error) => write!(f, "cannot listen at {address}: {error}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl Error for ServerError {}
