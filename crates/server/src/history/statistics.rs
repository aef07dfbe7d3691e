//! The statistics of a player's rounds.

use axum::extract::State;
use croupier_store::{PlayedRound, Rounds};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::my_rounds::latest;
use crate::http::extract::Json;
use crate::http::problem::{Problem, Problems};
use crate::people::session::Visitor;
use crate::state::AppState;

/// The number of pages that statistics add up, and the number of rounds in each.
const MAX_PAGES: usize = 10;
const PAGE: usize = 1_000;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(my_statistics))
}

/// Statistics of the player's last ten thousand rounds.
#[derive(Debug, Default, Serialize, ToSchema)]
struct Statistics {
    /// The number of rounds with a wager.
    rounds: u64,
    /// The number of those that the player won.
    won: u64,
    /// The number of rounds that the player banked.
    banked: u64,
    /// The total wagered, in cents.
    staked: i64,
    /// The net win or loss from wagers, in cents.
    net: i64,
    /// The net win or loss from banking, in cents.
    bank_net: i64,
    /// The net result of the best round, in cents: negative if every round lost.
    best: i64,
    /// The net result of the worst round, in cents.
    worst: i64,
}

/// My statistics
#[utoipa::path(
    get, path = "/api/me/statistics", tag = "history",
    responses((status = 200, body = Statistics, description = "The statistics"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn my_statistics(
    State(state): State<AppState>,
    visitor: Visitor,
) -> Result<Json<Statistics>, Problem> {
    let mut sum = Statistics::default();
    let mut before = latest();
    for _ in 0..MAX_PAGES {
        let page = state.store().rounds_of(&visitor.player, &before, PAGE).await?;
        for played in &page {
            sum.add(played);
        }
        match page.last().filter(|_| page.len() == PAGE) {
            Some(last) => before = last.place.clone(),
            None => break,
        }
    }
    Ok(Json(sum))
}

impl Statistics {
    fn add(&mut self, PlayedRound { seat, .. }: &PlayedRound) {
        let (staked, net) = (seat.staked.as_cents(), seat.net.as_cents());
        if seat.banked {
            self.banked += 1;
            self.bank_net = self.bank_net.saturating_add(net);
            return;
        }
        if self.rounds == 0 {
            (self.best, self.worst) = (net, net);
        }
        self.rounds += 1;
        self.won += u64::from(net > 0);
        self.staked = self.staked.saturating_add(staked);
        self.net = self.net.saturating_add(net);
        self.best = self.best.max(net);
        self.worst = self.worst.min(net);
    }
}

#[cfg(test)]
mod tests {
    use croupier_rules::Amount;
    use croupier_store::{PlayedRound, RoundSeat};

    use super::{Statistics, latest};

    #[test]
    fn the_best_round_of_a_player_who_only_lost_is_the_smallest_loss() {
        let mut sum = Statistics::default();
        for net in [-3_000, -1_000, -2_000] {
            let [ante, bonus, staked, net] = [500, 0, 1_000, net].map(Amount::cents);
            let player = "p-1".to_owned();
            let seat = RoundSeat { seat: 1, player, banked: false, ante, bonus, staked, net };
            let house = "uth-standard".to_owned();
            sum.add(&PlayedRound { place: latest(), seat, house, void: false });
        }
        assert_eq!((sum.best, sum.worst), (-1_000, -3_000));
    }
}
