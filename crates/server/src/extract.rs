//! What requests carry, with problems in our own words when they do not carry it.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::de::{DeserializeOwned, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::timeout;

use crate::problem::{Code, Problem};

/// How long the body of a request may take to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyTime(pub(crate) Duration);

/// A body of JSON, coming or going. What comes is an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let time = request.extensions().get::<BodyTime>().map_or(Duration::MAX, |time| time.0);
        let read_all = <axum::Json<Box<RawValue>> as FromRequest<S>>::from_request(request, state);
        match timeout(time, read_all).await {
            Ok(Ok(axum::Json(text))) => read(text.get()).map(Self),
            Ok(Err(rejection)) => Err(json_problem(&rejection)),
            Err(_) => Err(Code::TooSlow.into()),
        }
    }
}

/// Reads an object.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    // A list of the values would pass for the object that has them.
    if !text.starts_with('{') {
        return Err(Problem::new(Code::Malformed, "the body is an object"));
    }
    // Two readers of such a body could each take another of the values, and the type alone does not
    // notice: a value that may be anything is read into a map.
    if let Err(error) = serde_json::from_str::<UniqueKeys>(text) {
        return Err(Problem::new(Code::Malformed, error.to_string()));
    }
    let wrong = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => Problem::new(Code::Malformed, error.to_string()),
    };
    // To JSON, 5.0 is as whole as 5, and some programs write it so.
    let Ok(mut value) = serde_json::from_str::<Value>(text) else { return Err(wrong) };
    if !make_whole(&mut value) {
        return Err(wrong);
    }
    serde_json::from_value(value).map_err(|_| wrong)
}

/// JSON in which no object has a key twice, whatever its values are.
struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if keys.contains(&key) {
                return Err(A::Error::custom(format_args!("the key {key:?} is there twice")));
            }
            keys.insert(key);
            map.next_value::<Self>()?;
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

/// Writes whole numbers as such, and tells whether there was one that was not.
fn make_whole(value: &mut Value) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().fold(false, |any, item| make_whole(item) | any),
        Value::Object(fields) => {
            fields.values_mut().fold(false, |any, field| make_whole(field) | any)
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

/// Returns the whole number that another one is, if it is one and is written exactly.
#[expect(clippy::cast_possible_truncation, reason = "below that bound nothing is lost")]
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

/// How many characters a name in a query has at most.
pub(crate) const SHORT: usize = 64;

/// Reads a name in a query: nothing has a longer one.
///
/// # Errors
///
/// When it is too long.
pub(crate) fn short<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    if text.as_ref().is_some_and(|text| text.chars().count() > SHORT) {
        return Err(D::Error::custom(format_args!("write {SHORT} characters at most")));
    }
    Ok(text)
}

/// Returns what a header lists, separated by commas.
pub(crate) fn words<'a>(asked: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let values = asked.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read;

    #[derive(serde::Deserialize, Debug, PartialEq, Eq)]
    struct Wager {
        ante: i64,
    }

    #[test]
    fn a_key_that_is_there_twice_is_refused_whatever_its_values_are() {
        for text in [
            r#"{"ante": 5, "ante": 6}"#,
            r#"{"ante": 5, "ante": 6.0}"#,
            r#"{"ante": 5.0, "ante": 6.0}"#,
            r#"{"ante": 5, "\u0061nte": 5}"#,
        ] {
            let problem = read::<Wager>(text).expect_err(text);
            assert!(problem.detail.contains("\"ante\" is there twice"), "{text}: {problem:?}");
        }
        for text in [r#"{"x": {"y": 1, "y": 1}}"#, r#"{"x": [{"y": null, "y": []}]}"#] {
            assert!(read::<Value>(text).is_err(), "{text}");
        }
        for text in [r#"{"x": {"y": 1}, "y": 1}"#, r#"{"x": [{"y": 1}, {"y": true}], "z": "y"}"#] {
            assert!(read::<Value>(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        for text in [r#"{"ante": 5}"#, r#"{"ante": 5.0}"#, r#"{"ante": 0.5e1}"#] {
            assert_eq!(read::<Wager>(text), Ok(Wager { ante: 5 }), "{text}");
        }
        for text in [r#"{"ante": 5.5}"#, r#"{"ante": 1e300}"#, r#"{"ante": "5"}"#, "[5]", "5"] {
            assert!(read::<Wager>(text).is_err(), "{text}");
        }
        // What may be anything stays as it was written.
        assert_eq!(read::<Value>(r#"{"x": 5.0}"#), Ok(json!({"x": 5.0})));
    }
}
