//! A house in words, as on the placard at its table.

use crate::amount::Amount;
use crate::edition::Edition;
use crate::game::{Deal, Game, Pass, Raises};
use crate::house::{AnteRefund, Banking, Coverage, House, PayoffOrder};

impl House {
    /// Returns the lines of the placard, each with its label. The pay tables are not included.
    ///
    /// ```
    /// let catalog = croupier_rules::Catalog::shipped();
    /// let placard = catalog.house("uth-standard")?.placard();
    /// assert_eq!(placard[0], ("Bank", "the house".to_owned()));
    /// # Ok::<(), croupier_rules::UnknownId>(())
    /// ```
    pub fn placard(&self) -> Vec<(&'static str, String)> {
        let limits = self.limits();
        let range = |least: Amount, most: Amount| {
            format!("{least} to {most}, in increments of {}", limits.unit)
        };
        let mut lines = vec![("Bank", bank_line(self))];
        if let Banking::PlayerDealer { coverage, .. } = self.banking() {
            lines.push(("Posted", posted_line(coverage).to_owned()));
        }
        lines.push(("Seats", seats_line(self)));
        lines.push((
            "Ante",
            format!("{}; the Blind matches it", range(limits.ante_min, limits.ante_max)),
        ));
        lines.push(("Play", self.game().play_rule(self.raises())));
        let bonus = self.game().def().bonus;
        lines.push((
            bonus,
            match (self.bonus_paytables(), self.games_per_player()) {
                // One wager is the Ante with Blind and Play, and leaves none for a bonus.
                ([], _) | (_, 1) => "none".to_owned(),
                _ => range(limits.bonus_min, limits.bonus_max),
            },
        ));
        if let Some(most) = limits.single_wager_max {
            lines.push(("Wager", format!("at most {most}, of any kind")));
        }
        if let Some(most) = limits.round_payout_max {
            lines.push(("Payout", payout_line(self, most)));
        }
        lines.push(("Dealer", dealer_line(self)));
        lines.push(("Deal", deal_line(self)));
        lines.push(("Payoffs", payoffs_line(self)));
        let cards = "all are shown once the round is settled, folds and stub too";
        lines.push(("Cards", cards.to_owned()));
        if self.edition() < Edition::CURRENT {
            let rules = format!("edition {} of the rules, since replaced", self.edition().number());
            lines.push(("Rules", rules));
        }
        if self.banking() != Banking::House {
            // The document where players bank keeps both hidden; here they prove the shuffle.
            let rule = "unlike in California, folds and stub are shown, to prove the shuffle";
            lines.push(("House rule", rule.to_owned()));
        }
        lines
    }

    /// Returns the text printed on the felt: the hands the dealer qualifies with.
    ///
    /// It is visible at all times, whatever else happens at the table.
    ///
    /// ```
    /// let catalog = croupier_rules::Catalog::shipped();
    /// let inscription = catalog.house("uth-california")?.inscription();
    /// assert_eq!(inscription, "The player/dealer qualifies with a pair or better");
    /// # Ok::<(), croupier_rules::UnknownId>(())
    /// ```
    pub fn inscription(&self) -> String {
        let needs = self.game().def().qualifying_hand;
        match (self.banking(), self.qualifying()) {
            (Banking::House, true) => format!("The dealer needs {needs} to qualify"),
            (Banking::House, false) => "The dealer always qualifies".to_owned(),
            (Banking::PlayerDealer { .. }, true) => {
                format!("The player/dealer qualifies with {needs}")
            }
            (Banking::PlayerDealer { .. }, false) => {
                "The player/dealer always qualifies".to_owned()
            }
        }
    }
}

impl Game {
    /// Returns the Play bets that a seat can make, street by street, where the house allows these
    /// raises.
    ///
    /// ```
    /// use croupier_rules::Game;
    ///
    /// let rule = "3x or 4x before the flop, 2x on the flop, 1x on the river, or fold";
    /// assert_eq!(Game::Uth.play_rule(&[3, 4]), rule);
    /// let rule = "1x, or fold; up to 3x only with a pair or better";
    /// assert_eq!(Game::Utcp.play_rule(&[1, 2, 3]), rule);
    /// ```
    pub fn play_rule(self, raises: &[u32]) -> String {
        let streets = self.def().streets.iter().map(|street| {
            let bet = match (street.raises, self) {
                (Raises::Fixed(multiples), _) => multiples_of_ante(multiples),
                (Raises::House { .. }, Self::Uth) => multiples_of_ante(raises),
                (Raises::House { .. }, Self::Utcp) if raises == [1] => {
                    return "1x, or fold".to_owned();
                }
                (Raises::House { from }, Self::Utcp) => {
                    let bets = up_to(raises).unwrap_or_else(|| multiples_of_ante(raises));
                    return format!("1x, or fold; {bets} only with a {from} or better");
                }
            };
            let otherwise = if street.pass == Pass::Fold { ", or fold" } else { "" };
            format!("{bet} {}{otherwise}", street.name.title())
        });
        streets.collect::<Vec<_>>().join(", ")
    }
}

/// Lists multiples of the Ante, such as `3x or 4x`, or `1x, 2x or 3x`.
pub fn multiples_of_ante(multiples: &[u32]) -> String {
    let times: Vec<String> = multiples.iter().map(|multiple| format!("{multiple}x")).collect();
    match &times[..] {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => times.concat(),
    }
}

fn bank_line(house: &House) -> String {
    match house.banking() {
        Banking::House => "the house".to_owned(),
        Banking::PlayerDealer { max_consecutive: 1, .. } => {
            "a player/dealer, for one hand at a time".to_owned()
        }
        Banking::PlayerDealer { max_consecutive, .. } => {
            format!("a player/dealer, for at most {max_consecutive} hands in a row")
        }
    }
}

fn payout_line(house: &House, most: Amount) -> String {
    match house.edition() {
        Edition::First => format!("maximum aggregate of {most} per round"),
        Edition::Second => {
            let bonus = house.game().def().bonus;
            format!("maximum aggregate of {most} per round on Blind and {bonus}")
        }
    }
}

fn posted_line(coverage: Coverage) -> &'static str {
    match coverage {
        Coverage::Action => "the most the bank can win or lose; uncovered wagers are returned",
        Coverage::Payoffs => "the most the bank can pay; uncovered wagers are returned",
    }
}

fn seats_line(house: &House) -> String {
    let spots = match house.seats_per_player() {
        1 => "one spot".to_owned(),
        seats => format!("up to {} spots", in_words(seats)),
    };
    let wagers = match house.games_per_player() {
        1 => "no side bets".to_owned(),
        wagers => format!("{} wagers at most", in_words(wagers)),
    };
    format!("{}; {spots} per player, {wagers}", house.seats())
}

/// Writes a small number in words.
fn in_words(number: u32) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let word = usize::try_from(number).ok().and_then(|number| words.get(number));
    word.map_or_else(|| number.to_string(), ToString::to_string)
}

/// Returns `up to 3x`, if every multiple from one is allowed.
fn up_to(multiples: &[u32]) -> Option<String> {
    let most = *multiples.last()?;
    multiples.iter().copied().eq(1..=most).then(|| format!("up to {most}x"))
}

fn dealer_line(house: &House) -> String {
    if !house.qualifying() {
        return "always qualifies".to_owned();
    }
    let needs = house.game().def().qualifying_hand;
    let when = match house.ante_refund() {
        AnteRefund::FirstPass => "live Antes push first",
        AnteRefund::BySeat => "the Ante pushes",
    };
    format!("needs {needs} to qualify; if not, {when}")
}

fn deal_line(house: &House) -> String {
    let deal = match house.deal() {
        Deal::Pairs => "two cards to each, then the board",
        Deal::Singles => "one card to each, then another, then the board",
        Deal::BoardFirst => "the board, then two cards to each",
        Deal::Threes => "three cards to each",
    };
    let decks = if house.decks() == 1 { "one deck" } else { "two decks, alternating" };
    format!("{deal}; {decks}")
}

fn payoffs_line(house: &House) -> String {
    match house.payoff_order() {
        PayoffOrder::HighestSeatFirst => "right to left, from the dealer's view",
        PayoffOrder::LowestSeatFirst => "left to right, from the dealer's view",
        PayoffOrder::LeftOfBanker => "clockwise from the player/dealer's left",
    }
    .to_owned()
}
