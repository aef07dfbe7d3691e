//! The middleware in front of every request: origin checks, rate limits and timeouts, and the
//! headers of every response.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::client_address::{ClientAddress, client_address};
use crate::http::cookies;
use crate::http::extract::BodyTimeout;
use crate::http::page::PartOfPage;
use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The maximum size of a request body. A record of a round with seven seats is a tenth of it.
pub(crate) const MAX_BODY: usize = 64 * 1024;

/// The headers of every response, unless it sets its own.
const HEADERS: [(&str, &str); 2] =
    [("x-content-type-options", "nosniff"), ("cross-origin-resource-policy", "same-origin")];

/// The headers of every response that a browser might show by itself. The page loads nothing from
/// other sites, runs only its own script files, and cannot be framed by another site.
const DOCUMENT_HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'",
    ),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("x-frame-options", "DENY"),
];

/// Checks every request, times it, and adds the headers of the response.
#[expect(clippy::disallowed_methods, reason = "the shell measures how long a request takes")]
pub(crate) async fn guard(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let address = client_address(&state.config, &request);
    request.extensions_mut().insert(ClientAddress(address));
    request.extensions_mut().insert(BodyTimeout(state.config.timeouts.request_body));
    let path = request.extensions().get::<MatchedPath>().cloned();
    let (method, is_api) = (request.method().clone(), request.uri().path().starts_with("/api"));
    let admitted =
        state.rate_limits.admit(address, request.uri().path()).and_then(|()| check_host(&request));
    let admitted = admitted.and_then(|()| check_length(&request));
    let admitted = admitted.and_then(|()| check_origin(&state, &request));
    let mut response = match admitted {
        Err(problem) => problem.into_response(),
        Ok(()) => run(state.config.timeouts.response, next, request).await,
    };
    let status = response.status();
    let is_part = response.extensions().get::<PartOfPage>().is_some();
    let for_documents: &[_] = if is_part { &[] } else { &DOCUMENT_HEADERS };
    let headers = response.headers_mut();
    for (name, value) in HEADERS.iter().chain(for_documents).copied() {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    // The rest of the body is not read, so the connection cannot be reused.
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    if state.config.is_secure() {
        let value = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    if is_api {
        let value = HeaderValue::from_static("no-store");
        headers.entry(header::CACHE_CONTROL).or_insert(value);
    }
    // Only paths that exist are counted: a client can invent any number of others.
    let path = path.as_ref().map_or("none", MatchedPath::as_str).to_owned();
    let status = status.as_u16().to_string();
    metrics::counter!("croupier_requests_total", "path" => path.clone(), "status" => status)
        .increment(1);
    let method = method_label(&method);
    metrics::histogram!("croupier_request_seconds", "path" => path, "method" => method)
        .record(start.elapsed().as_secs_f64());
    response
}

/// Returns the metrics label of a method: a client can invent any number of methods.
const fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// Runs a request in a task of its own: it finishes even if the client disconnects or the timeout
/// passes.
async fn run(timeout: Duration, next: Next, request: Request) -> Response {
    let may_change = may_change_state(request.method());
    match tokio::time::timeout(timeout, tokio::spawn(next.run(request))).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            tracing::error!(%error, "a request panicked");
            Problem::from(Code::Internal).into_response()
        }
        // The task may still write.
        Err(_) if may_change => Problem::from(Code::OutcomeUnknown).retry_after(1).into_response(),
        Err(_) => Problem::from(Code::Busy).retry_after(5).into_response(),
    }
}

/// Refuses a request with no host or with two hosts: a proxy may have read it as a request for
/// another host.
fn check_host(request: &Request) -> Result<(), Problem> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts == 1 || (hosts == 0 && request.version() < Version::HTTP_11) {
        return Ok(());
    }
    Err(Problem::new(Code::Malformed, "a request must have exactly one host"))
}

/// Refuses a body whose declared length is too large, before it is read.
fn check_length(request: &Request) -> Result<(), Problem> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > MAX_BODY as u64) {
        return Err(Code::TooLarge.into());
    }
    Ok(())
}

/// Tells whether a request with this method may change state.
fn may_change_state(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Refuses requests from pages of other sites that change state, because a browser would send our
/// cookie with them.
fn check_origin(state: &AppState, request: &Request) -> Result<(), Problem> {
    if !may_change_state(request.method()) {
        return Ok(());
    }
    let headers = request.headers();
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
        return Err(Code::WrongOrigin.into());
    }
    match headers.get(header::ORIGIN) {
        Some(origin) if is_same_origin(state, headers, origin) => Ok(()),
        Some(_) => Err(Code::WrongOrigin.into()),
        // A browser sends the origin of a request. A client that does not is not a browser, unless
        // it has a cookie and claims to be one.
        None if cookies::is_authenticated_by_cookie(headers)
            && site.is_none()
            && is_browser(headers) =>
        {
            Err(Code::WrongOrigin.into())
        }
        None => Ok(()),
    }
}

fn is_browser(headers: &HeaderMap) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    agent.is_some_and(|agent| agent.starts_with("Mozilla/"))
}

fn is_same_origin(state: &AppState, headers: &HeaderMap, origin: &HeaderValue) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    if let Some(url) = &state.config.public_url {
        return origin.eq_ignore_ascii_case(url.trim_end_matches('/'));
    }
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    host.is_some_and(|host| origin.eq_ignore_ascii_case(&format!("http://{host}")))
}
