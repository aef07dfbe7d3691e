//! The cookies of a request.

use axum::http::{HeaderMap, header};

/// Returns the value of a cookie in a request.
pub(crate) fn value(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|cookies| cookies.split(';')).find_map(|cookie| {
        let (key, value) = cookie.trim().split_once('=')?;
        (key == name && !value.is_empty()).then(|| value.to_owned())
    })
}

/// Returns whether a request is authenticated by a cookie, which browsers send automatically.
pub(crate) fn is_authenticated_by_cookie(headers: &HeaderMap) -> bool {
    headers.contains_key(header::COOKIE) && !headers.contains_key(header::AUTHORIZATION)
}
