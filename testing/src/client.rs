//! An HTTP client for tests.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

/// The timeout of a request, after which the test has failed.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A client that talks to a server over HTTP.
#[derive(Clone, Debug)]
pub struct Client {
    address: SocketAddr,
    http: legacy::Client<HttpConnector, Full<Bytes>>,
    /// Its session token, if it has one.
    pub token: Option<String>,
}

/// A response.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, byte for byte.
    pub body: Vec<u8>,
}

impl Reply {
    /// Returns the body as JSON, or null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns the problem's code, or nothing.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the body of a successful response.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub fn good(&self) -> Value {
        let body = String::from_utf8_lossy(&self.body);
        assert!(self.status.is_success(), "{}: {body}", self.status);
        self.json()
    }
}

impl Client {
    /// Returns a client without a session.
    pub fn new(address: SocketAddr) -> Self {
        let http = legacy::Client::builder(TokioExecutor::new()).build_http();
        Self { address, http, token: None }
    }

    /// Returns a client without a session that connects from an address of this machine.
    pub fn from(local: IpAddr, address: SocketAddr) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_local_address(Some(local));
        let http = legacy::Client::builder(TokioExecutor::new()).build(connector);
        Self { address, http, token: None }
    }

    /// Signs in as a guest.
    ///
    /// # Panics
    ///
    /// If the server refuses.
    pub async fn as_guest(mut self) -> Self {
        let welcome = self.post("/api/guests", &json!({ "bearer": true })).await;
        self.token = welcome.good()["token"].as_str().map(str::to_owned);
        self
    }

    /// Returns a client that is signed in as a guest.
    ///
    /// # Panics
    ///
    /// If the server refuses.
    pub async fn guest(address: SocketAddr) -> Self {
        Self::new(address).as_guest().await
    }

    /// Returns a client for the same player at another server.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { address, ..self.clone() }
    }

    /// Sends a request, and returns the response, or the reason why there is none.
    ///
    /// # Errors
    ///
    /// When the connection breaks, or there is no response in time.
    ///
    /// # Panics
    ///
    /// If the request is not valid.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<Reply, String> {
        let response = self.begin(method, path, headers, body).await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = tokio::time::timeout(TIMEOUT, response.into_body().collect()).await;
        let body = body.map_err(|_| "the response does not end".to_owned())?;
        let body = body.map_err(|error| error.to_string())?.to_bytes().to_vec();
        Ok(Reply { status, headers, body })
    }

    async fn begin(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<hyper::Response<Incoming>, String> {
        let uri = format!("http://{}{path}", self.address);
        let mut request =
            Request::builder().method(method).uri(uri).body(Full::from(body)).expect("a request");
        let fields = request.headers_mut();
        if let Some(token) = &self.token {
            let value = HeaderValue::try_from(format!("Bearer {token}")).expect("a token");
            fields.insert(AUTHORIZATION, value);
        }
        for (name, value) in headers {
            let name = HeaderName::try_from(*name).expect("a header");
            fields.append(name, HeaderValue::try_from(*value).expect("a value"));
        }
        let answer = tokio::time::timeout(TIMEOUT, self.http.request(request)).await;
        let answer = answer.map_err(|_| "there is no response".to_owned())?;
        answer.map_err(|error| format!("{error:?}"))
    }

    /// Sends a GET request.
    ///
    /// # Panics
    ///
    /// If there is no response.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, &[], Vec::new()).await.expect("a response")
    }

    /// Sends JSON.
    ///
    /// # Panics
    ///
    /// If there is no response.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send_json(Method::POST, path, body).await
    }

    /// Sends JSON with a method.
    ///
    /// # Panics
    ///
    /// If there is no response.
    pub async fn send_json(&self, method: Method, path: &str, body: &Value) -> Reply {
        let headers = [(CONTENT_TYPE.as_str(), "application/json")];
        let sent = self.send(method, path, &headers, body.to_string().into_bytes()).await;
        sent.expect("a response")
    }

    /// Sends a command to a table with a new key, and retries with the same key while there is no
    /// conclusive response.
    ///
    /// # Panics
    ///
    /// If there is still none after a while.
    pub async fn command(&self, table: &str, command: &Value) -> Reply {
        let key = fresh_key();
        let path = format!("/api/tables/{table}/commands");
        let headers = [(CONTENT_TYPE.as_str(), "application/json"), ("idempotency-key", &*key)];
        let mut why = String::new();
        for _ in 0..100 {
            let body = command.to_string().into_bytes();
            match self.send(Method::POST, &path, &headers, body).await {
                Ok(reply) if reply.status != StatusCode::SERVICE_UNAVAILABLE => return reply,
                Ok(reply) => why = String::from_utf8_lossy(&reply.body).into_owned(),
                Err(error) => why = error,
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no response to {command} at {table}: {why}");
    }

    /// Starts watching a table, from after a version if one is given.
    ///
    /// # Errors
    ///
    /// When the connection breaks, or the server refuses.
    pub async fn watch(&self, path: &str, seen: Option<u64>) -> Result<Watch, String> {
        let seen = seen.map(|seen| seen.to_string());
        let headers: Vec<(&str, &str)> =
            seen.iter().map(|seen| ("last-event-id", &**seen)).collect();
        let response = self.begin(Method::GET, path, &headers, Vec::new()).await?;
        if response.status() != StatusCode::OK {
            return Err(format!("the stream is refused: {}", response.status()));
        }
        let headers = response.headers().clone();
        Ok(Watch { headers, body: response.into_body(), buffer: Vec::new(), raw: Vec::new() })
    }
}

/// Returns a key that was not used before.
pub fn fresh_key() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("key-{}-{count}", std::process::id())
}

/// A stream of events.
#[derive(Debug)]
pub struct Watch {
    /// The headers of the response.
    pub headers: HeaderMap,
    body: Incoming,
    buffer: Vec<u8>,
    /// Every byte received.
    pub raw: Vec<u8>,
}

/// An event of a stream.
#[derive(Clone, Debug)]
pub struct StreamEvent {
    /// Its id: the version of the table.
    pub version: u64,
    /// Its data.
    pub data: Value,
}

impl Watch {
    /// Waits for the next event; returns nothing when the stream has ended or broken.
    ///
    /// # Panics
    ///
    /// If an event is not valid.
    pub async fn next(&mut self) -> Option<StreamEvent> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                let block = String::from_utf8(block).expect("UTF-8");
                let field = |name: &str| {
                    let found = block.lines().find_map(|line| line.strip_prefix(name));
                    found.map(|value| value.trim_start().to_owned())
                };
                if let (Some(id), Some(data)) = (field("id:"), field("data:")) {
                    let version = id.parse().expect("a version");
                    let data = serde_json::from_str(&data).expect("JSON");
                    return Some(StreamEvent { version, data });
                }
                continue;
            }
            let frame = self.body.frame().await?.ok()?;
            if let Ok(bytes) = frame.into_data() {
                self.buffer.extend_from_slice(&bytes);
                self.raw.extend_from_slice(&bytes);
            }
        }
    }
}
