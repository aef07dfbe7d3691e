//! Extractors for bodies, paths and queries, which report errors as problems.

use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::de::{DeserializeOwned, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::http::problem::{Code, Problem};

/// The timeout for the body of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyTimeout(pub(crate) Duration);

/// A JSON body of a request or a response. That of a request is an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let UniqueKeys(body) = parse_body(request, state).await?;
        from_object(body).map(Self)
    }
}

/// The JSON object of a request, checked, and as the client wrote it.
#[derive(Clone, Debug)]
pub(crate) struct JsonText(pub(crate) Box<RawValue>);

impl<S: Send + Sync> FromRequest<S> for JsonText {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let text: Box<RawValue> = parse_body(request, state).await?;
        match serde_json::from_str(text.get()) {
            Ok(UniqueKeys(Value::Object(_))) => Ok(Self(text)),
            Ok(_) => Err(no_object()),
            Err(error) => Err(Problem::new(Code::Malformed, error.to_string())),
        }
    }
}

/// Parses the body of a request, if it arrives in time.
async fn parse_body<T: DeserializeOwned, S: Send + Sync>(
    request: Request,
    state: &S,
) -> Result<T, Problem> {
    let time = request.extensions().get::<BodyTimeout>().map_or(Duration::MAX, |time| time.0);
    let body = <axum::Json<T> as FromRequest<S>>::from_request(request, state);
    match timeout(time, body).await {
        Ok(Ok(axum::Json(body))) => Ok(body),
        Ok(Err(rejection)) => Err(json_problem(&rejection)),
        Err(_) => Err(Code::TooSlow.into()),
    }
}

fn no_object() -> Problem {
    Problem::new(Code::Malformed, "the body must be a JSON object")
}

/// Reads a value from a parsed object.
fn from_object<T: DeserializeOwned>(mut body: Value) -> Result<T, Problem> {
    // Otherwise serde would accept a list of the values in place of the object.
    if !body.is_object() {
        return Err(no_object());
    }
    let wrong = match T::deserialize(&body) {
        Ok(value) => return Ok(value),
        Err(error) => Problem::new(Code::Malformed, error.to_string()),
    };
    // In JSON, 5.0 is the same number as 5, and some programs write it that way.
    if !make_integers(&mut body) {
        return Err(wrong);
    }
    serde_json::from_value(body).map_err(|_| wrong)
}

/// JSON in which no object has a duplicate key: with one, two parsers could each take a different
/// value.
struct UniqueKeys(Value);

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Builder;

        impl<'de> Visitor<'de> for Builder {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                let mut fields = Map::new();
                while let Some(key) = map.next_key::<String>()? {
                    if fields.contains_key(&key) {
                        return Err(A::Error::custom(format_args!("duplicate key {key:?}")));
                    }
                    let UniqueKeys(value) = map.next_value()?;
                    fields.insert(key, value);
                }
                Ok(Value::Object(fields))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut items = Vec::new();
                while let Some(UniqueKeys(item)) = list.next_element()? {
                    items.push(item);
                }
                Ok(Value::Array(items))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_str<E>(self, value: &str) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }
        }

        from.deserialize_any(Builder).map(Self)
    }
}

/// Converts floats without a fraction to integers, and returns whether there were any.
fn make_integers(value: &mut Value) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().fold(false, |any, item| make_integers(item) | any),
        Value::Object(fields) => {
            fields.values_mut().fold(false, |any, field| make_integers(field) | any)
        }
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().and_then(whole);
            if let Some(whole) = whole {
                *value = whole.into();
            }
            whole.is_some()
        }
        _ => false,
    }
}

/// Returns the integer that a float equals, if the float is exact.
#[expect(clippy::cast_possible_truncation, reason = "below that bound the cast is exact")]
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64)
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

fn json_problem(rejection: &JsonRejection) -> Problem {
    let code = match rejection {
        JsonRejection::MissingJsonContentType(_) => return Code::NotJson.into(),
        JsonRejection::JsonDataError(error) => {
            let duplicate = error.source().map_or_else(|| error.body_text(), ToString::to_string);
            return Problem::new(Code::Malformed, duplicate);
        }
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

/// The query string of a request.
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

/// The longest name in a query, in characters.
pub(crate) const MAX_SHORT: usize = 64;

/// Parses a name in a query, which is at most [`MAX_SHORT`] characters long.
///
/// # Errors
///
/// When it is too long.
pub(crate) fn short<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    if text.as_ref().is_some_and(|text| text.chars().count() > MAX_SHORT) {
        return Err(D::Error::custom(format_args!("write at most {MAX_SHORT} characters")));
    }
    Ok(text)
}

/// Returns the comma-separated values of a header.
pub(crate) fn header_values<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::{Code, Problem, UniqueKeys, from_object};

    fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
        let body: Result<UniqueKeys, _> = serde_json::from_str(text);
        let body = body.map_err(|error| Problem::new(Code::Malformed, error.to_string()))?;
        from_object(body.0)
    }

    #[derive(serde::Deserialize, Debug, PartialEq, Eq)]
    struct Ante {
        ante: i64,
    }

    #[test]
    fn a_duplicate_key_is_refused_whatever_its_values() {
        for text in [
            r#"{"ante": 5, "ante": 6}"#,
            r#"{"ante": 5, "ante": 6.0}"#,
            r#"{"ante": 5.0, "ante": 6.0}"#,
            r#"{"ante": 5, "\u0061nte": 5}"#,
        ] {
            let problem = parse::<Ante>(text).expect_err(text);
            assert!(problem.detail.contains("duplicate key \"ante\""), "{text}: {problem:?}");
        }
        for text in [r#"{"x": {"y": 1, "y": 1}}"#, r#"{"x": [{"y": null, "y": []}]}"#] {
            assert!(parse::<Value>(text).is_err(), "{text}");
        }
        for text in [r#"{"x": {"y": 1}, "y": 1}"#, r#"{"x": [{"y": 1}, {"y": true}], "z": "y"}"#] {
            assert!(parse::<Value>(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        for text in [r#"{"ante": 5}"#, r#"{"ante": 5.0}"#, r#"{"ante": 0.5e1}"#] {
            assert_eq!(parse::<Ante>(text), Ok(Ante { ante: 5 }), "{text}");
        }
        for text in [r#"{"ante": 5.5}"#, r#"{"ante": 1e300}"#, r#"{"ante": "5"}"#, "[5]", "5"] {
            assert!(parse::<Ante>(text).is_err(), "{text}");
        }
        // A value of any type stays as it was written.
        assert_eq!(parse::<Value>(r#"{"x": 5.0}"#), Ok(json!({"x": 5.0})));
    }
}
