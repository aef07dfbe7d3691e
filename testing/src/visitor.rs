//! Somebody who talks to a server, as a program would.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

/// How long an answer may take before the test has failed.
const PATIENCE: Duration = Duration::from_mins(1);

/// Somebody who talks to a server over HTTP.
#[derive(Clone, Debug)]
pub struct Visitor {
    address: SocketAddr,
    client: Client<HttpConnector, Full<Bytes>>,
    /// What he is known by, if he is.
    pub token: Option<String>,
}

/// An answer.
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
    /// Returns the body as JSON, or null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns the code of the problem that it is, or nothing.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the body of an answer that must be good.
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

impl Visitor {
    /// Returns somebody who is not known to the server yet.
    pub fn new(address: SocketAddr) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { address, client, token: None }
    }

    /// Returns a visitor who is not known to the server yet and comes from an address of this
    /// machine.
    pub fn from(local: IpAddr, address: SocketAddr) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_local_address(Some(local));
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Self { address, client, token: None }
    }

    /// Begins as a guest.
    ///
    /// # Panics
    ///
    /// If the server does not let the visitor in.
    pub async fn as_guest(mut self) -> Self {
        let welcome = self.post("/api/guests", &json!({ "bearer": true })).await;
        self.token = welcome.good()["token"].as_str().map(str::to_owned);
        self
    }

    /// Returns somebody who has begun as a guest.
    ///
    /// # Panics
    ///
    /// If he is not let in.
    pub async fn guest(address: SocketAddr) -> Self {
        Self::new(address).as_guest().await
    }

    /// Returns the same person at another server.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { address, ..self.clone() }
    }

    /// Sends a request, and returns the answer, or why there is none.
    ///
    /// # Errors
    ///
    /// When the connection breaks, or there is no answer in time.
    ///
    /// # Panics
    ///
    /// If the request cannot be written.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<Reply, String> {
        let response = self.begin(method, path, headers, body).await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = tokio::time::timeout(PATIENCE, response.into_body().collect()).await;
        let body = body.map_err(|_| "the answer does not end".to_owned())?;
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
        let answer = tokio::time::timeout(PATIENCE, self.client.request(request)).await;
        let answer = answer.map_err(|_| "there is no answer".to_owned())?;
        answer.map_err(|error| format!("{error:?}"))
    }

    /// Asks for something.
    ///
    /// # Panics
    ///
    /// If there is no answer.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, &[], Vec::new()).await.expect("an answer")
    }

    /// Sends JSON.
    ///
    /// # Panics
    ///
    /// If there is no answer.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send_json(Method::POST, path, body).await
    }

    /// Sends JSON by some method.
    ///
    /// # Panics
    ///
    /// If there is no answer.
    pub async fn send_json(&self, method: Method, path: &str, body: &Value) -> Reply {
        let headers = [(CONTENT_TYPE.as_str(), "application/json")];
        let sent = self.send(method, path, &headers, body.to_string().into_bytes()).await;
        sent.expect("an answer")
    }

    /// Asks something of a table, under a key of its own; sent again under the same key while there
    /// is no answer, or none that tells.
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
        panic!("no answer to {command} at {table}: {why}");
    }

    /// Begins to watch a table, from after a version if one was seen.
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

/// A key that was not used before.
pub fn fresh_key() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("key-{}-{count}", std::process::id())
}

/// A stream of events.
#[derive(Debug)]
pub struct Watch {
    /// What the answer began with.
    pub headers: HeaderMap,
    body: Incoming,
    buffer: Vec<u8>,
    /// Every byte that came.
    pub raw: Vec<u8>,
}

/// An event of a stream.
#[derive(Clone, Debug)]
pub struct Told {
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
    /// If an event is not what it should be.
    pub async fn next(&mut self) -> Option<Told> {
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
                    return Some(Told { version, data });
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
