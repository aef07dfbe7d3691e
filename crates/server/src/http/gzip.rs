//! Compression of responses, for clients that accept gzip.

use std::io::Write;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::http::extract::header_values;
use crate::http::problem::{Code, Problem};

/// A body shorter than this is not compressed: it fits into one packet anyway.
const MIN_LENGTH: usize = 1_024;

/// Compresses responses for clients that accept gzip. Only for public data: the compressed length
/// would reveal something about a secret in the response.
pub(crate) async fn compress_response(request: Request, next: Next) -> Response {
    let accepts = accepts_gzip(request.headers());
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !accepts || !response.status().is_success() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // The whole body is in memory already, so this cannot fail.
    let Ok(whole) = to_bytes(body, usize::MAX).await else {
        return Problem::from(Code::Internal).into_response();
    };
    let short =
        (whole.len() >= MIN_LENGTH).then(|| compress(&whole, Compression::fast())).flatten();
    let Some(short) = short else { return Response::from_parts(parts, Body::from(whole)) };
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(short))
}

/// Compresses bytes with gzip.
pub(crate) fn compress(bytes: &[u8], how: Compression) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), how);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

/// Tells whether a client accepts gzip.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let weight = |wanted: &str| {
        header_values(headers, &header::ACCEPT_ENCODING).find_map(|word| {
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
    fn gzip_is_sent_only_to_clients_that_accept_it() {
        let accepts = |value| {
            let value = HeaderValue::from_static(value);
            accepts_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]))
        };
        for value in ["gzip", "GZIP", "deflate, gzip;q=0.5, br", "*", "br;q=1.0, *;q=0.1"] {
            assert!(accepts(value), "{value}");
        }
        for value in ["", "br", "gzip;q=0", "*, gzip;q=0.0", "*;q=0", "gzip;q=much"] {
            assert!(!accepts(value), "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
