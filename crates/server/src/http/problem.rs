//! Errors, as clients see them.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use croupier_store::{FloorError, StoreError};
use croupier_table::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

/// A kind of problem. Programs identify it by its [name](Self::name), which never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The request body is not what the endpoint accepts.
    Malformed,
    /// A path or query parameter is not what the endpoint accepts.
    BadParameter,
    /// The body is not JSON, or its content type does not say so.
    NotJson,
    /// The body is too large.
    TooLarge,
    /// The body does not arrive.
    TooSlow,
    /// There is no such endpoint.
    NoSuchEndpoint,
    /// The endpoint does not support the method.
    WrongMethod,
    /// The request comes from another site.
    WrongOrigin,
    /// There are too many requests.
    TooManyRequests,
    /// There are too many open event streams.
    TooManyStreams,
    /// The request has no session.
    NotLoggedIn,
    /// The session has ended.
    SessionOver,
    /// The name or password is wrong.
    WrongPassword,
    /// There were too many login attempts.
    LockedOut,
    /// The player is banned.
    Banned,
    /// Only an operator can do that.
    NotOperator,
    /// Only a player with an account can do that.
    NotAccount,
    /// Operators cannot play.
    NotPlayer,
    /// Only a guest can do that.
    NotGuest,
    /// Only the player who opened the table can close it.
    NotHost,
    /// The name is taken.
    NameTaken,
    /// The name is not valid.
    BadName,
    /// The password is not acceptable.
    BadPassword,
    /// The player has chips left.
    ChipsLeft,
    /// It is too soon for more chips.
    TooSoon,
    /// The player sits at a table.
    StillSeated,
    /// There is no such table.
    NoSuchTable,
    /// There is no such round.
    NoSuchRound,
    /// There is no such player.
    NoSuchPlayer,
    /// There is no such session.
    NoSuchSession,
    /// There is no such house, pay table or strategy.
    NoSuchHouse,
    /// The operator has closed the house.
    HouseClosed,
    /// A house, a pay table or terms are invalid.
    BadTerms,
    /// The cards do not form a valid spot.
    BadSpot,
    /// A record cannot be read.
    BadRecord,
    /// There are too many tables.
    TooManyTables,
    /// The address or the player has stored too much recently.
    StorageQuota,
    /// All of the storage is used.
    StorageFull,
    /// No seat is free, or no bot is available.
    NoSeat,
    /// The key was used for another command.
    KeyReused,
    /// The key is not valid.
    BadKey,
    /// A time span ends before it begins.
    BadSpan,
    /// The data has changed since it was read.
    Changed,
    /// The account's balance is too low.
    NotEnough,
    /// The server is busy.
    Busy,
    /// The database is not responding.
    Unavailable,
    /// The outcome is unknown: send the request again with the same key.
    OutcomeUnknown,
    /// Something is wrong with the server itself: `fault`.
    Internal,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 48] = [
        Self::Malformed,
        Self::BadParameter,
        Self::NotJson,
        Self::TooLarge,
        Self::TooSlow,
        Self::NoSuchEndpoint,
        Self::WrongMethod,
        Self::WrongOrigin,
        Self::TooManyRequests,
        Self::TooManyStreams,
        Self::NotLoggedIn,
        Self::SessionOver,
        Self::WrongPassword,
        Self::LockedOut,
        Self::Banned,
        Self::NotOperator,
        Self::NotAccount,
        Self::NotPlayer,
        Self::NotGuest,
        Self::NotHost,
        Self::NameTaken,
        Self::BadName,
        Self::BadPassword,
        Self::ChipsLeft,
        Self::TooSoon,
        Self::StillSeated,
        Self::NoSuchTable,
        Self::NoSuchRound,
        Self::NoSuchPlayer,
        Self::NoSuchSession,
        Self::NoSuchHouse,
        Self::HouseClosed,
        Self::BadTerms,
        Self::BadSpot,
        Self::BadRecord,
        Self::TooManyTables,
        Self::StorageQuota,
        Self::StorageFull,
        Self::NoSeat,
        Self::KeyReused,
        Self::BadKey,
        Self::BadSpan,
        Self::Changed,
        Self::NotEnough,
        Self::Busy,
        Self::Unavailable,
        Self::OutcomeUnknown,
        Self::Internal,
    ];

    /// Returns the code's name, its HTTP status, and its default detail, for when there is nothing
    /// more precise to say.
    const fn row(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::Malformed => ("malformed", 400, "the request body has the wrong format"),
            Self::BadParameter => ("bad-parameter", 400, "a path or query parameter is invalid"),
            Self::NotJson => ("not-json", 415, "send JSON, with content-type application/json"),
            Self::TooLarge => ("too-large", 413, "the request body is too large"),
            Self::TooSlow => {
                ("too-slow", 408, "the request body did not arrive in time: send it again")
            }
            Self::NoSuchEndpoint => ("no-such-endpoint", 404, "there is nothing at this address"),
            Self::WrongMethod => ("wrong-method", 405, "this address does not support that method"),
            Self::WrongOrigin => ("wrong-origin", 403, "the request comes from another site"),
            Self::TooManyRequests => ("too-many-requests", 429, "too many requests: wait a moment"),
            Self::TooManyStreams => ("too-many-streams", 429, "too many streams: close one first"),
            Self::NotLoggedIn => ("not-logged-in", 401, "start as a guest, or log in"),
            Self::SessionOver => ("session-over", 401, "the session has ended: log in again"),
            Self::WrongPassword => ("wrong-password", 401, "wrong name or password"),
            Self::LockedOut => ("locked-out", 429, "too many attempts: try again later"),
            Self::Banned => ("banned", 403, "this player is banned"),
            Self::NotOperator => ("not-operator", 403, "only an operator can do that"),
            Self::NotAccount => ("not-account", 403, "that needs an account: create one first"),
            Self::NotPlayer => {
                ("not-player", 403, "operators can't play, and can't ban themselves")
            }
            Self::NotGuest => ("not-guest", 409, "this player already has an account"),
            Self::NotHost => ("not-host", 403, "only the player who opened the table can close it"),
            Self::NameTaken => {
                ("name-taken", 409, "this name is taken or reserved: choose another")
            }
            Self::BadName => {
                ("bad-name", 422, "2 to 24 letters, digits, - and _, starting with a letter")
            }
            Self::BadPassword => ("bad-password", 422, "a password has 8 to 256 characters"),
            Self::ChipsLeft => ("chips-left", 409, "you still have chips: play those first"),
            Self::TooSoon => ("too-soon", 429, "it is too soon for more chips"),
            Self::StillSeated => ("still-seated", 409, "leave your tables first"),
            Self::NoSuchTable => ("no-such-table", 404, "there is no such table"),
            Self::NoSuchRound => ("no-such-round", 404, "there is no such round"),
            Self::NoSuchPlayer => ("no-such-player", 404, "there is no such player"),
            Self::NoSuchSession => ("no-such-session", 404, "there is no such session"),
            Self::NoSuchHouse => {
                ("no-such-house", 404, "there is no such house, pay table or strategy")
            }
            Self::HouseClosed => ("house-closed", 409, "this house is closed"),
            Self::BadTerms => ("bad-terms", 422, "the house or a pay table is invalid"),
            Self::BadSpot => ("bad-spot", 422, "these cards don't form a valid spot"),
            Self::BadRecord => ("bad-record", 422, "the record cannot be read"),
            Self::TooManyTables => ("too-many-tables", 429, "too many tables: close one first"),
            Self::StorageQuota => {
                ("storage-quota", 429, "too much data was stored recently: wait a while")
            }
            Self::StorageFull => {
                ("storage-full", 503, "the server is out of storage: try again later")
            }
            Self::NoSeat => ("no-seat", 409, "no seat is free"),
            Self::KeyReused => ("key-reused", 422, "this key was used for another command"),
            Self::BadKey => ("bad-key", 422, "a key has 1 to 200 visible characters"),
            Self::BadSpan => ("bad-span", 422, "a time span can't end before it begins"),
            Self::Changed => (
                "changed",
                409,
                "the data has changed since it was read: read it again, then retry",
            ),
            Self::NotEnough => ("not-enough", 409, "insufficient balance"),
            Self::Busy => ("busy", 503, "the server is busy: try again in a moment"),
            Self::Unavailable => ("unavailable", 503, "the database is not responding: try again"),
            Self::OutcomeUnknown => {
                ("outcome-unknown", 503, "the outcome is unknown: send the same request again")
            }
            Self::Internal => ("fault", 500, "something went wrong on the server"),
        }
    }

    /// Returns the name that programs identify it by.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns its HTTP status.
    ///
    /// # Panics
    ///
    /// Never: all statuses are valid.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.row().1).expect("a status")
    }

    /// Returns the default detail, for when there is nothing more precise to say.
    pub const fn default_detail(self) -> &'static str {
        self.row().2
    }
}

/// Why a request failed, in the format of RFC 9457. A failed request changes nothing, unless the
/// code is `outcome-unknown`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// The kind of problem, for programs.
    #[schema(example = "seat-taken")]
    pub code: String,
    /// The HTTP status of the response.
    #[schema(example = 409)]
    pub status: u16,
    /// A description of the problem, and how to fix it.
    #[schema(example = "that seat is taken")]
    pub detail: String,
    /// The list of faults in a definition.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The number of seconds to wait before a retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// The problem responses of every endpoint.
#[derive(utoipa::IntoResponses)]
pub(crate) enum Problems {
    /// The request is refused.
    #[response(status = "4XX", content_type = "application/problem+json")]
    _Refused(Problem),
    /// The server cannot handle the request now.
    #[response(status = "5XX", content_type = "application/problem+json")]
    _Unable(Problem),
}

impl Problem {
    /// Creates a problem with this code and detail.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code: code.name().to_owned(),
            status: code.status().as_u16(),
            detail: detail.into(),
            faults: Vec::new(),
            retry_after: None,
        }
    }

    #[must_use]
    /// Adds the number of seconds to wait before a retry.
    pub const fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    #[must_use]
    /// Adds the faults of a definition.
    pub fn with_faults(mut self, faults: impl IntoIterator<Item = String>) -> Self {
        self.faults.extend(faults);
        self
    }
}

impl From<Code> for Problem {
    fn from(code: Code) -> Self {
        Self::new(code, code.default_detail())
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let status = StatusCode::CONFLICT.as_u16();
        let (code, detail) = (refusal.code().to_owned(), refusal.to_string());
        Self { code, status, detail, faults: Vec::new(), retry_after: None }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict | StoreError::Taken => Code::Changed.into(),
            StoreError::KeyReused => Code::KeyReused.into(),
            StoreError::Ledger(_) => Code::NotEnough.into(),
            StoreError::Unknown(why) => {
                tracing::warn!(why, "the database did not confirm a write");
                Self::from(Code::OutcomeUnknown).retry_after(1)
            }
            StoreError::Unavailable(why) | StoreError::Full(why) => {
                tracing::warn!(why, "the database is not responding");
                Self::from(Code::Unavailable).retry_after(1)
            }
            // Names and keys are validated before the store is called.
            StoreError::Unusable(_) => Code::BadParameter.into(),
            error @ StoreError::Damaged(_) => {
                tracing::error!(%error, "the store failed");
                Code::Internal.into()
            }
        }
    }
}

impl From<FloorError> for Problem {
    fn from(error: FloorError) -> Self {
        match error {
            FloorError::NoSuchTable => Code::NoSuchTable.into(),
            FloorError::Refused(refusal) => refusal.into(),
            FloorError::Store(error) => error.into(),
            error @ (FloorError::Damaged(_) | FloorError::Broken { .. }) => {
                tracing::error!(%error, "a table failed");
                Code::Internal.into()
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let body = serde_json::to_string(&self).unwrap_or_default();
        let kind = HeaderValue::from_static("application/problem+json");
        let mut response = (status, [(header::CONTENT_TYPE, kind)], body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
