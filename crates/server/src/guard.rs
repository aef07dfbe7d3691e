//! What stands before every request: who may send it from where, how often, and how long it takes;
//! and what every answer carries.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::Limits;
use crate::extract::BodyTime;
use crate::page;
use crate::problem::{Code, Problem};
use crate::room::Room;
use crate::server::BODY;
use crate::session::has_cookie;

/// How many requests may come at once, as seconds of the usual rate.
const BURST: u32 = 4;

/// How many files of the page an address may ask for in a second, at least. A page is dozens of
/// them at once, they cost next to nothing, and with fewer requests for other things it must still
/// be there.
const FILES: u32 = 100;

/// How often in a minute it is written down that an address wanted what is the operator's.
const NOTES: NonZeroU32 = NonZeroU32::new(10).expect("not zero");

/// What every answer carries, unless it says otherwise itself. Nothing is loaded from elsewhere,
/// nothing runs that is not a file of ours, and nobody may put a page of ours into his.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("x-frame-options", "DENY"),
];

/// Counts what comes from where.
#[derive(Debug)]
pub(crate) struct Gate {
    requests: Option<DefaultKeyedRateLimiter<IpAddr>>,
    files: Option<DefaultKeyedRateLimiter<IpAddr>>,
    commands: Option<DefaultKeyedRateLimiter<String>>,
    guests: Option<DefaultKeyedRateLimiter<IpAddr>>,
    notes: DefaultKeyedRateLimiter<IpAddr>,
    streams: Arc<Mutex<BTreeMap<IpAddr, u32>>>,
    most_streams: u32,
}

/// A place among the event streams, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct StreamPlace {
    address: IpAddr,
    streams: Arc<Mutex<BTreeMap<IpAddr, u32>>>,
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = streams.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                streams.remove(&self.address);
            }
        }
        metrics::gauge!("croupier_streams").decrement(1);
    }
}

impl Gate {
    pub(crate) fn new(limits: Limits) -> Self {
        let per_second = |rate: u32| {
            let burst = NonZeroU32::new(rate.saturating_mul(BURST))?;
            Some(Quota::per_second(NonZeroU32::new(rate)?).allow_burst(burst))
        };
        let per_hour = NonZeroU32::new(limits.guests_per_hour).map(Quota::per_hour);
        Self {
            requests: per_second(limits.requests_per_second).map(RateLimiter::keyed),
            files: match limits.requests_per_second {
                0 => None,
                rate => per_second(rate.max(FILES)).map(RateLimiter::keyed),
            },
            commands: per_second(limits.commands_per_second).map(RateLimiter::keyed),
            guests: per_hour.map(RateLimiter::keyed),
            notes: RateLimiter::keyed(Quota::per_minute(NOTES)),
            streams: Arc::default(),
            most_streams: limits.streams_per_address,
        }
    }

    /// Lets another request of an address in, or not.
    fn admit(&self, address: IpAddr, path: &str) -> Result<(), Problem> {
        let of_page = path.starts_with(page::FILES);
        check(if of_page { &self.files } else { &self.requests }.as_ref(), &address)
    }

    /// Lets another command of a player in, or not.
    pub(crate) fn admit_command(&self, player: &str) -> Result<(), Problem> {
        check(self.commands.as_ref(), &player.to_owned())
    }

    /// Lets another guest of an address in, or not.
    pub(crate) fn admit_guest(&self, address: IpAddr) -> Result<(), Problem> {
        check(self.guests.as_ref(), &address)
    }

    /// Tells whether what an address did is worth writing down once more.
    pub(crate) fn is_worth_a_note(&self, address: IpAddr) -> bool {
        self.notes.check_key(&address).is_ok()
    }

    /// Gives an event stream a place, if there is one.
    pub(crate) fn admit_stream(&self, address: IpAddr) -> Result<StreamPlace, Problem> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let count = streams.entry(address).or_default();
        if self.most_streams > 0 && *count >= self.most_streams {
            return Err(Problem::from(Code::TooManyStreams).retry_after(5));
        }
        *count += 1;
        metrics::gauge!("croupier_streams").increment(1);
        Ok(StreamPlace { address, streams: Arc::clone(&self.streams) })
    }

    /// Forgets addresses that nothing came from for a while.
    pub(crate) fn tidy(&self) {
        for limiter in [&self.requests, &self.files, &self.guests].into_iter().flatten() {
            limiter.retain_recent();
        }
        self.commands.iter().for_each(RateLimiter::retain_recent);
        self.notes.retain_recent();
    }
}

fn check<K: Clone + Eq + std::hash::Hash>(
    limiter: Option<&DefaultKeyedRateLimiter<K>>,
    key: &K,
) -> Result<(), Problem> {
    let Some(limiter) = limiter else { return Ok(()) };
    limiter.check_key(key).map_err(|until| {
        let wait = until.wait_time_from(DefaultClock::default().now());
        Problem::from(Code::TooManyRequests).retry_after(wait.as_secs() + 1)
    })
}

/// The address that a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

/// Returns the address that a request comes from: that of the connection, or what a proxy says if
/// it is one that is believed.
fn client_address(room: &Room, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let mut address = peer.map_or(Ipv6Addr::UNSPECIFIED.into(), |peer| peer.0.ip().to_canonical());
    let forwarded = request.headers().get_all("x-forwarded-for");
    let hops: Vec<&str> = forwarded
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    // Each proxy adds at the end whom it heard from, and only those that we know are believed.
    for hop in hops.iter().rev() {
        if !room.config.proxies.contains(&address) {
            break;
        }
        let Ok(before) = hop.trim().parse::<IpAddr>() else { break };
        address = before.to_canonical();
    }
    network(address)
}

/// Returns whom an address counts as: with IPv6 one customer has a whole network of them.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

/// Stands before every request.
#[expect(clippy::disallowed_methods, reason = "the shell measures how long it takes")]
pub(crate) async fn guard(State(room): State<Room>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let address = client_address(&room, &request);
    request.extensions_mut().insert(ClientAddress(address));
    request.extensions_mut().insert(BodyTime(room.config.times.body));
    let path = request.extensions().get::<MatchedPath>().cloned();
    let (method, is_api) = (request.method().clone(), request.uri().path().starts_with("/api"));
    let admitted =
        room.gate.admit(address, request.uri().path()).and_then(|()| check_host(&request));
    let admitted = admitted.and_then(|()| check_length(&request));
    let admitted = admitted.and_then(|()| check_origin(&room, &request));
    let mut response = match admitted {
        Err(problem) => problem.into_response(),
        Ok(()) => finish(room.config.times.answer, next, request).await,
    };
    let status = response.status();
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    // What is left of the body is not read, and the connection cannot be used again.
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    if room.config.is_secure() {
        let value = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    if is_api {
        let value = HeaderValue::from_static("no-store");
        headers.entry(header::CACHE_CONTROL).or_insert(value);
    }
    // Only addresses that exist are counted: others could be any number.
    let path = path.as_ref().map_or("none", MatchedPath::as_str).to_owned();
    let status = status.as_u16().to_string();
    metrics::counter!("croupier_requests_total", "path" => path.clone(), "status" => status)
        .increment(1);
    metrics::histogram!("croupier_request_seconds", "path" => path, "method" => label(&method))
        .record(start.elapsed().as_secs_f64());
    response
}

/// Returns what a method is counted as: a client can make up any number of them.
const fn label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// Answers a request, in a task of its own: what was begun comes to its end even if the client goes
/// away, or it takes too long to wait for.
async fn finish(patience: Duration, next: Next, request: Request) -> Response {
    let changes = changes(request.method());
    match tokio::time::timeout(patience, tokio::spawn(next.run(request))).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            tracing::error!(%error, "a request panicked");
            Problem::from(Code::Fault).into_response()
        }
        // It may still write what it wants to write.
        Err(_) if changes => Problem::from(Code::OutcomeUnknown).retry_after(1).into_response(),
        Err(_) => Problem::from(Code::Busy).retry_after(5).into_response(),
    }
}

/// Refuses a request that does not say for whom it is, or says so twice: a proxy may have taken it
/// for another.
fn check_host(request: &Request) -> Result<(), Problem> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts == 1 || (hosts == 0 && request.version() < Version::HTTP_11) {
        return Ok(());
    }
    Err(Problem::new(Code::Malformed, "a request names its host, and once"))
}

/// Refuses a body that says itself that it is too large, before it comes.
fn check_length(request: &Request) -> Result<(), Problem> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > BODY as u64) {
        return Err(Code::TooLarge.into());
    }
    Ok(())
}

/// Tells whether a request of this method may change something.
fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Refuses to change anything for a page of another site, which a browser would send our cookie
/// along with.
fn check_origin(room: &Room, request: &Request) -> Result<(), Problem> {
    if !changes(request.method()) {
        return Ok(());
    }
    let headers = request.headers();
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
        return Err(Code::WrongOrigin.into());
    }
    match headers.get(header::ORIGIN) {
        Some(origin) if is_ours(room, headers, origin) => Ok(()),
        Some(_) => Err(Code::WrongOrigin.into()),
        // A browser says where a request comes from. What does not is no browser, unless it has
        // picked up a cookie and sends it from nowhere.
        None if has_cookie(headers) && site.is_none() && is_browser(headers) => {
            Err(Code::WrongOrigin.into())
        }
        None => Ok(()),
    }
}

fn is_browser(headers: &HeaderMap) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    agent.is_some_and(|agent| agent.starts_with("Mozilla/"))
}

fn is_ours(room: &Room, headers: &HeaderMap, origin: &HeaderValue) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    if let Some(url) = &room.config.public_url {
        return origin.eq_ignore_ascii_case(url.trim_end_matches('/'));
    }
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    host.is_some_and(|host| origin.eq_ignore_ascii_case(&format!("http://{host}")))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::network;

    #[test]
    fn an_ipv6_customer_counts_once() {
        let of = |text: &str| network(text.parse::<IpAddr>().expect("an address"));
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
