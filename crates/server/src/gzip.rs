//! Answers in fewer bytes, for clients that read gzip.

use std::io::Write;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::extract::words;
use crate::problem::{Code, Problem};

/// What is shorter than this is sent as it is: it fits into one packet anyhow.
const SHORT: usize = 1_024;

/// Sends answers in fewer bytes to whoever reads that. It is for what anybody may ask: how short an
/// answer becomes would tell something about a secret in it.
pub(crate) async fn shorten(request: Request, next: Next) -> Response {
    let takes = takes_gzip(request.headers());
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !takes || !response.status().is_success() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // It is all there already, and so cannot fail.
    let Ok(whole) = to_bytes(body, usize::MAX).await else {
        return Problem::from(Code::Fault).into_response();
    };
    let short = (whole.len() >= SHORT).then(|| shortened(&whole, Compression::fast())).flatten();
    let Some(short) = short else { return Response::from_parts(parts, Body::from(whole)) };
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(short))
}

/// Returns the same in fewer bytes, most of the time.
pub(crate) fn shortened(bytes: &[u8], how: Compression) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), how);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

/// Tells whether a client reads gzip.
pub(crate) fn takes_gzip(asked: &HeaderMap) -> bool {
    let weight = |wanted: &str| {
        words(asked, &header::ACCEPT_ENCODING).find_map(|word| {
            let (name, rest) = word.split_once(';').unwrap_or((word, "q=1"));
            let weight = rest.trim().strip_prefix("q=")?.parse::<f32>().ok()?;
            name.trim().eq_ignore_ascii_case(wanted).then_some(weight)
        })
    };
    weight("gzip").or_else(|| weight("*")).is_some_and(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_for_those_who_take_it() {
        let takes = |value| {
            let value = HeaderValue::from_static(value);
            takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]))
        };
        for value in ["gzip", "GZIP", "deflate, gzip;q=0.5, br", "*", "br;q=1.0, *;q=0.1"] {
            assert!(takes(value), "{value}");
        }
        for value in ["", "br", "gzip;q=0", "*, gzip;q=0.0", "*;q=0", "gzip;q=much"] {
            assert!(!takes(value), "{value}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
