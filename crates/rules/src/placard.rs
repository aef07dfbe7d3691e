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
        let range =
            |least: Amount, most: Amount| format!("{least} to {most}, in steps of {}", limits.unit);
        let mut lines = vec![("Bank", bank_line(self))];
        if let Banking::PlayerDealer { coverage, .. } = self.banking() {
            lines.push(("Posted", posted_line(coverage).to_owned()));
        }
        lines.push(("Seats", seats_line(self)));
        lines.push((
            "Ante",
            format!("{}; the Blind matches it", range(limits.ante_min, limits.ante_max)),
        ));
        lines.push(("Play", play_line(self)));
        let bonus = self.game().def().bonus;
        lines.push((
            bonus,
            match self.bonus_paytables() {
                [] => "none".to_owned(),
                _ => range(limits.bonus_min, limits.bonus_max),
            },
        ));
        if let Some(most) = limits.single_wager_max {
            lines.push(("Wager", format!("at most {most}, of any kind")));
        }
        if let Some(most) = limits.round_payout_max {
            lines.push(("Payout", payout_line(self.edition(), most)));
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
            let departure = "California hides folds and stub; here they prove the shuffle";
            lines.push(("Departure", departure.to_owned()));
        }
        lines
    }

    /// Returns the text printed on the felt: the hands the dealer plays with.
    ///
    /// It is visible at all times, whatever else happens at the table.
    ///
    /// ```
    /// let catalog = croupier_rules::Catalog::shipped();
    /// let inscription = catalog.house("uth-california")?.inscription();
    /// assert_eq!(inscription, "The player/dealer plays only with a pair or better");
    /// # Ok::<(), croupier_rules::UnknownId>(())
    /// ```
    pub fn inscription(&self) -> String {
        let needs = self.game().def().needs;
        match (self.banking(), self.qualifying()) {
            (Banking::House, true) => format!("The dealer needs {needs} to qualify"),
            (Banking::House, false) => "The dealer always qualifies".to_owned(),
            (Banking::PlayerDealer { .. }, true) => {
                format!("The player/dealer plays only with {needs}")
            }
            (Banking::PlayerDealer { .. }, false) => {
                "The player/dealer always qualifies".to_owned()
            }
        }
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

fn payout_line(edition: Edition, most: Amount) -> String {
    match edition {
        Edition::First => format!("at most {most} in one round"),
        Edition::Second => format!("odds pay at most {most} in one round; Ante and Play in full"),
    }
}

fn posted_line(coverage: Coverage) -> &'static str {
    match coverage {
        Coverage::Action => "the most the bank can win or lose; uncovered wagers go back",
        Coverage::Payoffs => "the most the bank can pay; uncovered wagers go back",
    }
}

fn seats_line(house: &House) -> String {
    let each = match house.seats_per_player() {
        1 => "one".to_owned(),
        seats => format!("up to {seats}"),
    };
    let games = match house.games_per_player() {
        1 => "one game".to_owned(),
        games => format!("{} games", in_words(games)),
    };
    format!("{}, {each} per player; each player wagers on at most {games}", house.seats())
}

/// Writes a small number in words.
fn in_words(number: u32) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let word = usize::try_from(number).ok().and_then(|number| words.get(number));
    word.map_or_else(|| number.to_string(), ToString::to_string)
}

fn play_line(house: &House) -> String {
    let times = |multiples: &[u32]| {
        let multiples: Vec<String> =
            multiples.iter().map(|multiple| format!("{multiple}x")).collect();
        multiples.join(" or ")
    };
    let streets = house.game().def().streets.iter().map(|street| {
        let bet = match (street.raises, house.game()) {
            (Raises::Fixed(multiples), _) => times(multiples),
            (Raises::House { .. }, Game::Uth) => times(house.raises()),
            (Raises::House { .. }, Game::Utcp) if house.raises() == [1] => {
                return "1x or fold".to_owned();
            }
            (Raises::House { from }, Game::Utcp) => {
                return format!("1x or fold; with a {from} or better {}", times(house.raises()));
            }
        };
        let otherwise = if street.pass == Pass::Fold { ", or fold" } else { "" };
        format!("{bet} {}{otherwise}", street.name)
    });
    streets.collect::<Vec<_>>().join(", ")
}

fn dealer_line(house: &House) -> String {
    if !house.qualifying() {
        return "always qualifies".to_owned();
    }
    let needs = house.game().def().needs;
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
        PayoffOrder::HighestSeatFirst => "from the highest seat down",
        PayoffOrder::LowestSeatFirst => "from the lowest seat up",
        PayoffOrder::LeftOfBanker => "clockwise from the player/dealer's left",
    }
    .to_owned()
}
