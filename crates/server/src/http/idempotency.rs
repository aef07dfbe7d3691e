//! Idempotent requests: a request with a key of its sender's runs once, however often it is sent.

use axum::http::HeaderMap;
use croupier_store::{Accounts, Answered, CommandKey, Journals, Request, Written};
use serde_json::Value;
use utoipa::IntoParams;

use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The idempotency header of a request.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it describes a header")]
pub(crate) struct KeyHeader {
    /// Chosen by the client for this request alone.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 200, pattern = "^[!-~]+$")]
    key: Option<String>,
}

/// Returns the idempotency key of a request, if it has one.
pub(crate) fn key(headers: &HeaderMap, sender: &str) -> Result<Option<CommandKey>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().map_err(|_| Code::BadKey)?;
    if !(1..=200).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Code::BadKey.into());
    }
    Ok(Some(CommandKey { sender: sender.to_owned(), key: key.to_owned() }))
}

/// Returns the identity of a request, if its sender gave it a key. `what` is its full content: the
/// same key with other content is refused.
pub(crate) fn request(
    headers: &HeaderMap,
    sender: &str,
    what: &Value,
) -> Result<Option<Request>, Problem> {
    Ok(key(headers, sender)?.map(|key| Request::new(key, what)))
}

/// Returns the earlier answer to a request, if it was sent before.
pub(crate) async fn earlier_answer(
    state: &AppState,
    request: Option<&Request>,
) -> Result<Option<String>, Problem> {
    match request {
        None => Ok(None),
        Some(Request { key, body }) => Ok(state.store().answer(key, body).await?),
    }
}

/// Stores the answer to a request that writes nothing else. Returns the answer that is stored: the
/// same request may have been answered at the same moment.
pub(crate) async fn store_answer(
    state: &AppState,
    request: Option<&Request>,
    answer: String,
) -> Result<String, Problem> {
    let Some(Request { key, body }) = request.cloned() else { return Ok(answer) };
    let answered = Answered { key, body, answer: answer.clone() };
    match state.store().transfer(Vec::new(), state.now(), Some(answered)).await? {
        Written::Now => Ok(answer),
        Written::Repeated(answer) => Ok(answer),
    }
}
