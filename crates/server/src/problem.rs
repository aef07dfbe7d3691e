//! What goes wrong, as a client is told of it.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use croupier_store::{FloorError, StoreError};
use croupier_table::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

/// A kind of problem. Programs know it by its [name](Self::name), which never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The body of the request is not what the endpoint takes.
    Malformed,
    /// A part of the address is not what the endpoint takes.
    BadParameter,
    /// The body is not JSON, or does not say that it is.
    NotJson,
    /// The body is too large.
    TooLarge,
    /// The body does not come.
    TooSlow,
    /// There is no such endpoint.
    NoSuchEndpoint,
    /// The endpoint takes other methods.
    WrongMethod,
    /// The request comes from another site.
    WrongOrigin,
    /// There are too many requests.
    TooManyRequests,
    /// There are too many open event streams.
    TooManyStreams,
    /// Nobody is logged in.
    NotLoggedIn,
    /// The session is over.
    SessionOver,
    /// Name and password do not belong together.
    WrongPassword,
    /// There were too many attempts to log in.
    LockedOut,
    /// The player may not play here.
    Banned,
    /// Only an operator may do that.
    NotOperator,
    /// Only a player with an account may do that.
    NotAccount,
    /// An operator does not play.
    NotPlayer,
    /// Only a guest may do that.
    NotGuest,
    /// Only who opened the table may close it.
    NotHost,
    /// The name is taken.
    NameTaken,
    /// The name is not fit.
    BadName,
    /// The password is not fit.
    BadPassword,
    /// The player has chips left.
    ChipsLeft,
    /// It is too soon for more.
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
    /// A house, a pay table or terms have faults.
    BadTerms,
    /// The cards of a spot do not make one.
    BadSpot,
    /// A record cannot be read.
    BadRecord,
    /// There are too many tables.
    TooManyTables,
    /// The address or the player has had enough stored for now.
    StorageQuota,
    /// All that may be stored is used.
    StorageFull,
    /// There is no seat free, or no bot to be had.
    NoSeat,
    /// The key was used for another command.
    KeyReused,
    /// The key is not fit.
    BadKey,
    /// A span of time ends before it begins.
    BadSpan,
    /// A change has happened in between: look again.
    Changed,
    /// The account has not so much.
    NotEnough,
    /// The server has too much to do.
    Busy,
    /// The database does not answer.
    Unavailable,
    /// Whether it was carried out is not known: ask again with the same key.
    OutcomeUnknown,
    /// Something is wrong with the server itself.
    Fault,
}

impl Code {
    /// All of them.
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
        Self::Fault,
    ];

    /// Returns the name that programs know it by, the status it goes with, and what it says if
    /// there is nothing more precise to say.
    const fn row(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::Malformed => ("malformed", 400, "the body is not what this endpoint takes"),
            Self::BadParameter => ("bad-parameter", 400, "a part of the address is wrong"),
            Self::NotJson => ("not-json", 415, "send JSON, with content-type application/json"),
            Self::TooLarge => ("too-large", 413, "the body is too large"),
            Self::TooSlow => ("too-slow", 408, "the body did not come in time: send it again"),
            Self::NoSuchEndpoint => ("no-such-endpoint", 404, "there is nothing at this address"),
            Self::WrongMethod => ("wrong-method", 405, "this address takes other methods"),
            Self::WrongOrigin => ("wrong-origin", 403, "the request comes from another site"),
            Self::TooManyRequests => ("too-many-requests", 429, "too many requests: wait a little"),
            Self::TooManyStreams => ("too-many-streams", 429, "too many streams: close one first"),
            Self::NotLoggedIn => ("not-logged-in", 401, "begin as a guest, or log in"),
            Self::SessionOver => ("session-over", 401, "the session is over: log in again"),
            Self::WrongPassword => ("wrong-password", 401, "name or password is wrong"),
            Self::LockedOut => ("locked-out", 429, "too many attempts: try again later"),
            Self::Banned => ("banned", 403, "this player may not play here any more"),
            Self::NotOperator => ("not-operator", 403, "only an operator may do that"),
            Self::NotAccount => ("not-account", 403, "that takes an account: make one first"),
            Self::NotPlayer => ("not-player", 403, "an operator does not play, nor ban himself"),
            Self::NotGuest => ("not-guest", 409, "this player has an account already"),
            Self::NotHost => ("not-host", 403, "only whoever opened the table may close it"),
            Self::NameTaken => {
                ("name-taken", 409, "this name is taken or reserved: choose another")
            }
            Self::BadName => {
                ("bad-name", 422, "2 to 24 letters, digits, - and _, the first a letter")
            }
            Self::BadPassword => ("bad-password", 422, "a password has 8 to 256 characters"),
            Self::ChipsLeft => ("chips-left", 409, "there are chips left: play with those first"),
            Self::TooSoon => ("too-soon", 429, "it is too soon for more chips"),
            Self::StillSeated => ("still-seated", 409, "leave the tables first"),
            Self::NoSuchTable => ("no-such-table", 404, "there is no such table"),
            Self::NoSuchRound => ("no-such-round", 404, "there is no such round"),
            Self::NoSuchPlayer => ("no-such-player", 404, "there is no such player"),
            Self::NoSuchSession => ("no-such-session", 404, "there is no such session"),
            Self::NoSuchHouse => ("no-such-house", 404, "there is none of this name"),
            Self::HouseClosed => ("house-closed", 409, "this house is closed"),
            Self::BadTerms => ("bad-terms", 422, "the house or a pay table has faults"),
            Self::BadSpot => ("bad-spot", 422, "these cards make no spot"),
            Self::BadRecord => ("bad-record", 422, "the record cannot be read"),
            Self::TooManyTables => ("too-many-tables", 429, "too many tables: close one first"),
            Self::StorageQuota => {
                ("storage-quota", 429, "too much was stored from here lately: wait a little")
            }
            Self::StorageFull => {
                ("storage-full", 503, "the server has no room for anything new: try again later")
            }
            Self::NoSeat => ("no-seat", 409, "there is no seat free"),
            Self::KeyReused => ("key-reused", 422, "this key was used for another command"),
            Self::BadKey => ("bad-key", 422, "a key has 1 to 200 characters that can be seen"),
            Self::BadSpan => ("bad-span", 422, "a span of time ends when it begins or later"),
            Self::Changed => ("changed", 409, "something has changed in between: look again"),
            Self::NotEnough => ("not-enough", 409, "there is not so much in the account"),
            Self::Busy => ("busy", 503, "there is too much to do: try again in a moment"),
            Self::Unavailable => ("unavailable", 503, "the database does not answer: try again"),
            Self::OutcomeUnknown => {
                ("outcome-unknown", 503, "whether it was done is not known: send it again as it is")
            }
            Self::Fault => ("fault", 500, "something is wrong with the server"),
        }
    }

    /// Returns the name that programs know it by.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the status that it goes with.
    ///
    /// # Panics
    ///
    /// Never: the statuses are known.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.row().1).expect("a status")
    }

    /// Returns what it says if there is nothing more precise to say.
    pub const fn words(self) -> &'static str {
        self.row().2
    }
}

/// Why a request is not answered as it should be, in the form of RFC 9457. Nothing has changed
/// then, unless the code is `outcome-unknown`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// The kind of problem, for programs.
    #[schema(example = "seat-taken")]
    pub code: String,
    /// The status of the answer.
    #[schema(example = 409)]
    pub status: u16,
    /// What is wrong, and what would be right.
    #[schema(example = "somebody sits there")]
    pub detail: String,
    /// All faults of a definition, one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// After how many seconds it is worth trying again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// What every endpoint may answer instead.
#[derive(utoipa::IntoResponses)]
pub(crate) enum Problems {
    /// The request is refused.
    #[response(status = "4XX", content_type = "application/problem+json")]
    _Refused(Problem),
    /// The server cannot do it now.
    #[response(status = "5XX", content_type = "application/problem+json")]
    _Unable(Problem),
}

impl Problem {
    /// Says what is wrong with a request.
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
    /// Adds after how many seconds it is worth trying again.
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
        Self::new(code, code.words())
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
                tracing::warn!(why, "the database did not say whether it wrote");
                Self::from(Code::OutcomeUnknown).retry_after(1)
            }
            StoreError::Unavailable(why) | StoreError::Full(why) => {
                tracing::warn!(why, "the database does not answer");
                Self::from(Code::Unavailable).retry_after(1)
            }
            // What can be wrong with names and keys is looked at before the store is asked.
            StoreError::Unusable(_) => Code::BadParameter.into(),
            error @ StoreError::Damaged(_) => {
                tracing::error!(%error, "the store failed");
                Code::Fault.into()
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
                tracing::error!(%error, "a table fails by itself");
                Code::Fault.into()
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
