//! What requests carry, with problems in our own words when they do not carry it.

use std::time::Duration;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::time::timeout;

use crate::problem::{Code, Problem};

/// How long the body of a request may take to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyTime(pub(crate) Duration);

/// A body of JSON, coming or going.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let time = request.extensions().get::<BodyTime>().map_or(Duration::MAX, |time| time.0);
        match timeout(time, axum::Json::from_request(request, state)).await {
            Ok(Ok(axum::Json(value))) => Ok(Self(value)),
            Ok(Err(rejection)) => Err(json_problem(&rejection)),
            Err(_) => Err(Code::TooSlow.into()),
        }
    }
}

/// A body that is an object of JSON. Read without it, a list of its values would do as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let Json(text) = Json::<Box<RawValue>>::from_request(request, state).await?;
        if !text.get().starts_with('{') {
            return Err(Problem::new(Code::Malformed, "the body is an object"));
        }
        let read = axum::Json::from_bytes(text.get().as_bytes());
        read.map(|axum::Json(value)| Self(value)).map_err(|rejection| json_problem(&rejection))
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

fn json_problem(rejection: &JsonRejection) -> Problem {
    let code = match rejection {
        JsonRejection::MissingJsonContentType(_) => return Code::NotJson.into(),
        _ if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => return Code::TooLarge.into(),
        _ => Code::Malformed,
    };
    Problem::new(code, rejection.body_text())
}

/// The variable parts of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        let wrong = |error: PathRejection| Problem::new(Code::BadParameter, error.body_text());
        path.map(|axum::extract::Path(value)| Self(value)).map_err(wrong)
    }
}

/// What comes after the question mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = axum::extract::Query::from_request_parts(parts, state).await;
        let wrong = |error: QueryRejection| Problem::new(Code::BadParameter, error.body_text());
        query.map(|axum::extract::Query(value)| Self(value)).map_err(wrong)
    }
}
