//! A table's listing: how it is found, and which players may enter it.

use std::sync::Arc;

use croupier_store::{Collection, Document, DocumentRow, Text};
use croupier_table::Table;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use utoipa::IntoParams;

use crate::http::extract::short;
use crate::http::problem::{Code, Problem};
use crate::people::session::{PlayerKind, Session};
use crate::state::AppState;
use crate::tables::seats;

/// The collection of listings: which players may enter each table. It keeps those of closed tables,
/// since their rounds can still be viewed.
pub(crate) const LISTINGS: Collection<Listing> = Collection::new("listings");

/// The collection of open public tables, with the house they play. It may contain some that have
/// just closed.
pub(crate) const OPEN: Collection<Text> = Collection::new("open-tables");

/// The same for private tables. There may be many of them, and the lobby does not have to search
/// them.
pub(crate) const OPEN_BY_LINK: Collection<Text> = Collection::new("open-tables-by-link");

/// A table's listing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Listing {
    /// The player who opened it.
    #[serde(skip)]
    pub(crate) host: String,
    /// Its title.
    pub(crate) title: String,
    /// Whether any player may enter.
    pub(crate) public: bool,
    /// The invitation that other players need to enter, if it is not public.
    pub(crate) invite: String,
    /// The house it plays.
    pub(crate) house: String,
    pub(crate) bonus: Option<String>,
    /// The house's game. Old listings do not have it.
    #[serde(default)]
    pub(crate) game: Option<String>,
}

impl Listing {
    fn read(document: Document<Self>) -> Option<Self> {
        let listing = document.contents().ok()?;
        Some(Self { host: document.owner, ..listing })
    }

    /// Returns whether it lists the same table as another. Only the invitation differs between
    /// attempts.
    pub(crate) fn is_for(&self, other: &Self) -> bool {
        let Self { host, title, public, invite: _, house, bonus, game: _ } = self;
        (host, title, public) == (&other.host, &other.title, &other.public)
            && (house, bonus) == (&other.house, &other.bonus)
    }

    /// Returns whether a player may close the table: only the player who opened it, and not while
    /// others sit at a public one.
    pub(super) fn may_be_closed(&self, table: &Table, player: &str) -> bool {
        self.host == player && !table.is_closing() && !(self.public && table.others_sit(player))
    }

    /// Returns the documents that are stored when a table is opened.
    pub(crate) fn documents(&self, table: &str, state: &AppState) -> [DocumentRow; 2] {
        let now = state.now();
        let listed = Document::json(table, now, self).owned_by(&*self.host);
        let open = Document::plain(table, now, &*self.house).owned_by(&*self.host);
        let collection = if self.public { OPEN } else { OPEN_BY_LINK };
        [LISTINGS.row(listed), collection.row(open)]
    }
}

/// Returns a table's listing. A table that was never listed is accessible only to the operator.
pub(crate) async fn find(state: &AppState, table: &str) -> Result<Option<Arc<Listing>>, Problem> {
    if let Some(listing) = state.listings.get(table) {
        return Ok(Some(listing));
    }
    let Some(document) = LISTINGS.get(state.store(), table).await? else { return Ok(None) };
    let Some(listing) = Listing::read(document).map(Arc::new) else {
        state.report_failure(table, "its listing cannot be read").await;
        return Ok(None);
    };
    state.listings.insert(table.to_owned(), Arc::clone(&listing));
    Ok(Some(listing))
}

/// Returns whether a visitor may see a table and sit down there.
pub(crate) async fn may_enter(
    state: &AppState,
    table: &str,
    visitor: Option<&Session>,
    invite: Option<&str>,
) -> Result<bool, Problem> {
    if visitor.is_some_and(|visitor| visitor.kind == PlayerKind::Operator) {
        return Ok(true);
    }
    let Some(listing) = find(state, table).await? else { return Ok(false) };
    let invited =
        || invite.is_some_and(|invite| invite.as_bytes().ct_eq(listing.invite.as_bytes()).into());
    let host = visitor.is_some_and(|visitor| visitor.player == listing.host);
    Ok(listing.public || host || invited())
}

/// Returns a table if the visitor may see it, and otherwise `no-such-table`.
pub(crate) async fn enter(
    state: &AppState,
    name: &str,
    visitor: Option<&Session>,
    invite: Option<&str>,
) -> Result<Arc<Table>, Problem> {
    let table = state.table(name).await?;
    if visitor.is_some_and(|visitor| seats::is_seated(&table, &visitor.player))
        || may_enter(state, name, visitor, invite).await?
    {
        return Ok(table);
    }
    // A player who has just left may ask again how the last command ended.
    if let Some(visitor) = visitor
        && seats::is_registered(state, &visitor.player, name).await?
    {
        return Ok(table);
    }
    Err(Code::NoSuchTable.into())
}

/// The invitation to a private table.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Invite {
    /// The invitation to a private table.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    pub(crate) invite: Option<String>,
}
