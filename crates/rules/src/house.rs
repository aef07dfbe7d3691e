//! A house: a game with its terms, and who banks it.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::amount::Amount;
use crate::catalog::{KnownId, looks_like};
use crate::definition::{Definition, Faults};
use crate::edition::Edition;
use crate::game::{Deal, Game, Raises};
use crate::paytable::{PayTable, PayTableBet};
use crate::ratio::Ratio;
use crate::seat::Seat;
use crate::words::words;

words! {
    /// The order in which seats are paid.
    PayoffOrder {
        /// From the casino dealer's right: the highest number first.
        HighestSeatFirst = "highest-seat-first",
        /// From the casino dealer's left: the lowest number first.
        LowestSeatFirst = "lowest-seat-first",
        /// Clockwise from the left of the player who banks.
        LeftOfBanker = "left-of-banker",
    }
}

impl PayoffOrder {
    /// Returns a seat's place in the order, by who banks: the smallest is first.
    pub(crate) const fn place(self, banker: Option<Seat>, seat: Seat) -> u32 {
        let number = seat.number();
        match (self, banker) {
            (Self::HighestSeatFirst, _) => 8 - number,
            (Self::LeftOfBanker, Some(banker)) => (number + 8 - banker.number()) % 8,
            (Self::LowestSeatFirst | Self::LeftOfBanker, _) => number,
        }
    }
}

words! {
    /// When Antes go back if the dealer does not qualify. It changes the order of things and no
    /// amount.
    AnteRefund {
        /// All at once, before any hand is looked at.
        FirstPass = "first-pass",
        /// Each when its seat is settled.
        BySeat = "by-seat",
    }
}

words! {
    /// The moves of chips that use up the wager of a player who banks.
    Coverage {
        /// Payoffs and collections: the bank can neither win nor lose more than it posted.
        Action = "action",
        /// Payoffs alone.
        Payoffs = "payoffs",
    }
}

words! {
    /// The color of a deck's backs.
    DeckColour {
        /// Of the first deck.
        Red = "red",
        /// Of the second.
        Blue = "blue",
    }
}

words! {
    /// Who pays and collects.
    Bank {
        /// The house.
        House = "house",
        /// One of the players, in turn.
        PlayerDealer = "player-dealer",
    }
}

/// What may be wagered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Limits {
    /// The step of every wager. All payoffs on it are whole cents.
    pub unit: Amount,
    /// The least Ante.
    pub ante_min: Amount,
    /// The largest Ante.
    pub ante_max: Amount,
    /// The least bonus wager, if there is one at all.
    pub bonus_min: Amount,
    /// The largest bonus wager.
    pub bonus_max: Amount,
    /// The largest wager of any kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_wager_max: Option<Amount>,
    /// The most that odds pay in one round, over all Blinds and bonus wagers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_payout_max: Option<Amount>,
}

/// Who banks, and on what terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Banking {
    /// The house.
    House,
    /// One of the players, in turn.
    PlayerDealer {
        /// What his wager is used up by.
        coverage: Coverage,
        /// For how many rounds in a row a player may bank.
        max_consecutive: u32,
    },
}

impl Banking {
    /// Returns who banks.
    pub const fn by(self) -> Bank {
        match self {
            Self::House => Bank::House,
            Self::PlayerDealer { .. } => Bank::PlayerDealer,
        }
    }
}

/// A game with its terms, checked: whoever has one need not check it again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct House {
    edition: Edition,
    id: String,
    title: String,
    source: String,
    game: Game,
    deal: Deal,
    payoff_order: PayoffOrder,
    ante_refund: AnteRefund,
    seats: u32,
    decks: u32,
    raises: Vec<u32>,
    qualifying: bool,
    games_per_player: u32,
    seats_per_player: u32,
    blind_paytable: PayTable,
    bonus_paytables: Vec<Arc<PayTable>>,
    limits: Limits,
    banking: Banking,
}

impl House {
    /// Reads a house written in TOML, with pay tables from among these.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, with line numbers.
    pub fn from_toml(text: &str, paytables: &[PayTable]) -> Result<Self, Faults> {
        Self::checked(Definition::from_toml(text), paytables, Edition::CURRENT, &[])
    }

    /// Reads a house of a user's own, which may not have the names of these.
    pub(crate) fn from_own_toml(
        text: &str,
        paytables: &[PayTable],
        shipped: &[Arc<Self>],
    ) -> Result<Self, Faults> {
        Self::checked(Definition::from_toml(text), paytables, Edition::CURRENT, shipped)
    }

    /// Reads a house written in JSON, as in a round record, with pay tables from among these.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn from_json(value: &serde_json::Value, paytables: &[PayTable]) -> Result<Self, Faults> {
        Self::from_json_of(value, paytables, Edition::CURRENT)
    }

    /// Reads a house written in JSON as an edition of the rules has it.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn from_json_of(
        value: &serde_json::Value,
        paytables: &[PayTable],
        edition: Edition,
    ) -> Result<Self, Faults> {
        Self::checked(Definition::from_json(value), paytables, edition, &[])
    }

    /// Reads a former house that came with Croupier.
    pub(crate) fn from_toml_of(
        text: &str,
        paytables: &[PayTable],
        edition: Edition,
    ) -> Result<Self, Faults> {
        Self::checked(Definition::from_toml(text), paytables, edition, &[])
    }

    /// Returns the house as it plays by another edition of the rules.
    pub(crate) fn in_edition(&self, edition: Edition) -> Self {
        Self { edition, ..self.clone() }
    }

    /// Returns the house with another deal or another pay table of the Blind, checked again.
    pub(crate) fn changed(
        &self,
        deal: Option<&str>,
        blind_paytable: Option<&str>,
        paytables: &[PayTable],
    ) -> Result<Self, Faults> {
        let changes = [("deal", deal), ("blind_paytable", blind_paytable)];
        let changes = changes.into_iter().filter_map(|(field, id)| Some((field, id?)));
        let mut definition = Definition::from_json(&changes.collect());
        let mut draft = Draft::from(self.clone());
        if definition.has("deal") {
            draft.deal = definition.word("deal");
        }
        if definition.has("blind_paytable") {
            draft.blind_paytable = read_blind_paytable(&mut definition, paytables);
        }
        draft.check(&mut definition);
        definition.finish(draft.house())
    }

    fn checked(
        mut definition: Definition,
        paytables: &[PayTable],
        edition: Edition,
        shipped: &[Arc<Self>],
    ) -> Result<Self, Faults> {
        let draft = Draft::read(&mut definition, paytables, edition);
        draft.check(&mut definition);
        draft.check_names(&mut definition, shipped);
        let house = draft.house();
        // A house of a user's own is new; others are in journals and records already.
        if let Some(house) = house.as_ref().filter(|_| !shipped.is_empty()) {
            definition.refuse(house.admission_faults());
        }
        definition.finish(house)
    }
}

/// A house on its way to being checked: each field is there if it could be read.
struct Draft {
    edition: Edition,
    id: Option<String>,
    title: Option<String>,
    source: Option<String>,
    game: Option<Game>,
    deal: Option<Deal>,
    payoff_order: Option<PayoffOrder>,
    ante_refund: Option<AnteRefund>,
    seats: Option<u32>,
    decks: Option<u32>,
    raises: Option<Vec<u32>>,
    qualifying: Option<bool>,
    games_per_player: Option<u32>,
    seats_per_player: Option<u32>,
    blind_paytable: Option<PayTable>,
    bonus_paytables: Option<Vec<Arc<PayTable>>>,
    limits: DraftLimits,
    by: Option<Bank>,
    banking: Option<Banking>,
}

/// Limits on their way to being checked.
#[derive(Clone, Copy)]
struct DraftLimits {
    unit: Option<Amount>,
    ante_min: Option<Amount>,
    ante_max: Option<Amount>,
    bonus_min: Option<Amount>,
    bonus_max: Option<Amount>,
    single_wager_max: Option<Amount>,
    round_payout_max: Option<Amount>,
}

impl From<House> for Draft {
    fn from(house: House) -> Self {
        let limits = house.limits;
        Self {
            edition: house.edition,
            id: Some(house.id),
            title: Some(house.title),
            source: Some(house.source),
            game: Some(house.game),
            deal: Some(house.deal),
            payoff_order: Some(house.payoff_order),
            ante_refund: Some(house.ante_refund),
            seats: Some(house.seats),
            decks: Some(house.decks),
            raises: Some(house.raises),
            qualifying: Some(house.qualifying),
            games_per_player: Some(house.games_per_player),
            seats_per_player: Some(house.seats_per_player),
            blind_paytable: Some(house.blind_paytable),
            bonus_paytables: Some(house.bonus_paytables),
            limits: DraftLimits {
                unit: Some(limits.unit),
                ante_min: Some(limits.ante_min),
                ante_max: Some(limits.ante_max),
                bonus_min: Some(limits.bonus_min),
                bonus_max: Some(limits.bonus_max),
                single_wager_max: limits.single_wager_max,
                round_payout_max: limits.round_payout_max,
            },
            by: Some(house.banking.by()),
            banking: Some(house.banking),
        }
    }
}

impl Draft {
    /// Reads all fields, so that all faults of form are found.
    fn read(definition: &mut Definition, paytables: &[PayTable], edition: Edition) -> Self {
        let [id, title, source] =
            ["id", "title", "source"].map(|field| definition.filled_text(field));
        let game = definition.word("game");
        let [seats, decks, games_per_player, seats_per_player] =
            ["seats", "decks", "games_per_player", "seats_per_player"]
                .map(|field| definition.count(field));
        let by = definition.word("banking.by");
        Self {
            edition,
            id,
            title,
            source,
            game,
            deal: definition.word("deal"),
            payoff_order: definition.word("payoff_order"),
            ante_refund: definition.word("ante_refund"),
            seats,
            decks,
            raises: read_raises(definition, game),
            qualifying: definition.flag("qualifying"),
            games_per_player,
            seats_per_player,
            blind_paytable: read_blind_paytable(definition, paytables),
            bonus_paytables: read_bonus_paytables(definition, game, paytables),
            limits: read_limits(definition),
            by,
            banking: read_banking(definition, by, edition),
        }
    }

    /// Returns the house, if every field could be read.
    fn house(self) -> Option<House> {
        let limits = self.limits;
        Some(House {
            edition: self.edition,
            id: self.id?,
            title: self.title?,
            source: self.source?,
            game: self.game?,
            deal: self.deal?,
            payoff_order: self.payoff_order?,
            ante_refund: self.ante_refund?,
            seats: self.seats?,
            decks: self.decks?,
            raises: self.raises?,
            qualifying: self.qualifying?,
            games_per_player: self.games_per_player?,
            seats_per_player: self.seats_per_player?,
            blind_paytable: self.blind_paytable?,
            bonus_paytables: self.bonus_paytables?,
            limits: Limits {
                unit: limits.unit?,
                ante_min: limits.ante_min?,
                ante_max: limits.ante_max?,
                bonus_min: limits.bonus_min?,
                bonus_max: limits.bonus_max?,
                single_wager_max: limits.single_wager_max,
                round_payout_max: limits.round_payout_max,
            },
            banking: self.banking?,
        })
    }

    /// Checks what the fields mean. Each check is made if what it looks at could be read, whatever
    /// is wrong elsewhere.
    fn check(&self, definition: &mut Definition) {
        self.check_game(definition);
        self.check_seats(definition);
        self.check_payoffs(definition);
        self.check_limits(definition);
    }

    /// Checks that it does not pass for a house that comes with Croupier.
    fn check_names(&self, definition: &mut Definition, shipped: &[Arc<House>]) {
        let names = [("id", &self.id), ("title", &self.title), ("source", &self.source)];
        for (field, own) in names {
            let Some(own) = own else { continue };
            if let Some(known) = shipped.iter().find_map(|house| house.has_name(field, own)) {
                definition.fault(field, known.to_string());
            }
        }
    }

    /// Checks what depends on the game.
    fn check_game(&self, definition: &mut Definition) {
        let Some(game) = self.game else { return };
        let (deals, title) = (game.def().deals, game.def().title);
        if self.deal.is_some_and(|deal| !deals.contains(&deal)) {
            let known: Vec<&str> = deals.iter().map(|deal| deal.id()).collect();
            definition.fault("deal", format!("{title} is dealt as {}", known.join(" or ")));
        }
        if let Some(table) = self.blind_paytable.as_ref().filter(|table| !table.fits(game)) {
            let message = format!("{} pays for hands that {title} has not", table.id());
            definition.fault("blind_paytable", message);
        }
        let least = self.raises.as_ref().map(|raises| raises[0]);
        if game == Game::Utcp && least.is_some_and(|least| least != 1) {
            definition.fault("raises", "with three cards one may always bet the Ante once");
        }
    }

    /// Checks the table, and what depends on who banks.
    fn check_seats(&self, definition: &mut Definition) {
        if let (Some(by), Some(seats)) = (self.by, self.seats) {
            // A banker plays against one other at least; the felt has seven places beside his.
            let (least, most) = match by {
                Bank::House => (1, 7),
                Bank::PlayerDealer => (2, 8),
            };
            if !(least..=most).contains(&seats) {
                let by = by.id();
                let message = format!("a table banked by {by} has {least} to {most} seats");
                definition.fault("seats", message);
            }
        }
        if self.decks.is_some_and(|decks| decks > 2) {
            definition.fault("decks", "a table has one deck, or two that alternate");
        }
        if self.seats.zip(self.seats_per_player).is_some_and(|(seats, each)| each > seats) {
            definition.fault("seats_per_player", "there are not so many seats");
        }
        let left_of_banker = self.payoff_order == Some(PayoffOrder::LeftOfBanker);
        if left_of_banker && self.by == Some(Bank::House) {
            definition.fault("payoff_order", "nobody sits to the left of a house that banks");
        }
        let limited = self.limits.round_payout_max.is_some();
        if limited && self.by == Some(Bank::PlayerDealer) {
            let message = "what a player/dealer pays is limited by the posted wager";
            definition.fault("limits.round_payout_max", message);
        }
    }

    /// Checks that every payoff on a unit is whole, and that the largest round fits an amount.
    fn check_payoffs(&self, definition: &mut Definition) {
        let Some(game) = self.game else { return };
        let bonuses = self.bonus_paytables.iter().flatten().map(|table| &**table);
        for table in self.blind_paytable.iter().chain(bonuses) {
            let Some(unit) = self.limits.unit else { break };
            for (hand, pays) in table.lines(game) {
                if unit.as_cents() % i64::from(pays.per()) != 0 {
                    let message = format!(
                        "{unit} cannot be paid {pays:#}, which {} pays for a {hand}: \
                         it must be a multiple of {} cents",
                        table.id(),
                        pays.per()
                    );
                    definition.fault("limits.unit", message);
                }
            }
        }
        if self.most_paid().is_some_and(|most| most > i128::from(i64::MAX)) {
            definition.fault("limits.ante_max", "a round could pay more money than can be counted");
        }
    }

    /// Checks that the limits leave room for a wager and do not contradict each other.
    fn check_limits(&self, definition: &mut Definition) {
        let DraftLimits { unit, ante_min, ante_max, bonus_min, bonus_max, .. } = self.limits;
        // If the unit is wrong, what is not a multiple of it may be right.
        let unit = unit.filter(|_| definition.is_good("limits.unit"));
        for (bet, least, most) in [("ante", ante_min, ante_max), ("bonus", bonus_min, bonus_max)] {
            let Some(unit) = unit else { break };
            let off_unit = |amount: &Amount| amount.as_cents() % unit.as_cents() != 0;
            if let (Some(least), Some(most)) = (least, most) {
                let whole_units = most.as_cents() / unit.as_cents() * unit.as_cents();
                if whole_units < least.as_cents() {
                    let message = format!("no multiple of {unit} is between {least} and {most}");
                    definition.fault(&format!("limits.{bet}_max"), message);
                    continue;
                }
            }
            for (end, amount) in [("min", least), ("max", most)] {
                if let Some(amount) = amount.filter(off_unit) {
                    let message = format!("{amount} is no multiple of the unit, {unit}");
                    definition.fault(&format!("limits.{bet}_{end}"), message);
                }
            }
        }
        self.check_single_wager_max(definition);
        self.check_round_payout_max(definition);
    }

    fn check_single_wager_max(&self, definition: &mut Definition) {
        let DraftLimits { ante_max, bonus_max, single_wager_max, .. } = self.limits;
        let Some(largest) = single_wager_max else { return };
        if let (Some(ante), Some(raise)) = (ante_max, self.largest_raise())
            && ante.times(raise).is_none_or(|play| play > largest)
        {
            let message = format!("an Ante of {ante} could be raised {raise} times, above it");
            definition.fault("limits.single_wager_max", message);
        }
        if let Some(bonus) = bonus_max.filter(|&bonus| bonus > largest) {
            let message = format!("a bonus wager of {bonus} would be above it");
            definition.fault("limits.single_wager_max", message);
        }
    }

    /// Checks that a payout maximum is not a way to win without paying: it is at least twice the
    /// largest wager that can be made.
    fn check_round_payout_max(&self, definition: &mut Definition) {
        let DraftLimits { ante_max, bonus_max, round_payout_max, .. } = self.limits;
        let limited = self.edition >= Edition::Second && self.by != Some(Bank::PlayerDealer);
        let Some(most) = round_payout_max.filter(|_| limited) else { return };
        let (Some(ante), Some(raise)) = (ante_max, self.largest_raise()) else { return };
        // An Ante that overflows when it is raised is a fault of its own.
        let Some(play) = ante.times(raise) else { return };
        let largest = bonus_max.map_or(play, |bonus| bonus.max(play));
        if largest.times(2).is_none_or(|least| most < least) {
            let message = format!(
                "{most} is less than twice the largest wager, {largest}: raise it, or leave it out"
            );
            definition.fault("limits.round_payout_max", message);
        }
    }

    /// Returns a bound on the cents that a round could hand out, stakes included, if that is known.
    fn most_paid(&self) -> Option<i128> {
        let game = self.game?;
        let best = |table: &PayTable| table.lines(game).map(|(_, pays)| pays).max();
        let cents = |amount: Amount| i128::from(amount.as_cents());
        let (ante_max, bonus_max) = (self.limits.ante_max?, self.limits.bonus_max?);
        let blind_best = best(self.blind_paytable.as_ref()?);
        let bonus_best =
            self.bonus_paytables.as_ref()?.iter().filter_map(|table| best(table)).max();
        // A stake goes back with what it pays, rounded up to a whole number of stakes.
        let paid = |most: Amount, pays: Option<Ratio>| {
            let pays = pays.map_or(1, |ratio| ratio.pays().div_ceil(ratio.per()));
            cents(most) * (i128::from(pays) + 1)
        };
        let even = cents(ante_max) * 2 * (i128::from(self.largest_raise()?) + 1);
        let seat = even + paid(ante_max, blind_best) + paid(bonus_max, bonus_best);
        Some(seat * i128::from(self.seats?))
    }

    /// Returns the largest multiple of the Ante that can be bet on any street.
    fn largest_raise(&self) -> Option<u32> {
        let (game, raises) = (self.game?, self.raises.as_ref()?);
        let streets = game.def().streets.iter();
        let raises = streets.flat_map(|street| match street.raises {
            Raises::Fixed(multiples) => multiples,
            Raises::House { .. } => raises,
        });
        raises.copied().max()
    }
}

/// What the house is made of, to be read.
impl House {
    /// Returns the edition of the rules that it plays by.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the name by which records know the house.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns what to call it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Tells whether a reader would take a text for the house's title, id or source: case, spaces
    /// and punctuation make no difference.
    pub fn is_called(&self, text: &str) -> bool {
        self.has_name("title", text).is_some()
    }

    /// Returns what is wrong with a name of another house, if a reader would take it for one of
    /// this house's.
    pub(crate) fn has_name(&self, field: &'static str, text: &str) -> Option<KnownId> {
        let own = [("title", &self.title), ("id", &self.id), ("source", &self.source)];
        let same = own.into_iter().find(|(_, own)| looks_like(own, text))?;
        let (text, of) = (text.to_owned(), self.id.clone());
        Some(KnownId::Shipped { field, text, theirs: same.0, of })
    }

    /// Returns the document it comes from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the game.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// Returns the order in which cards are dealt.
    pub const fn deal(&self) -> Deal {
        self.deal
    }

    /// Returns the order in which seats are paid.
    pub const fn payoff_order(&self) -> PayoffOrder {
        self.payoff_order
    }

    /// Returns when Antes go back if the dealer does not qualify.
    pub const fn ante_refund(&self) -> AnteRefund {
        self.ante_refund
    }

    /// Returns how many seats there are, that of a player who banks included.
    pub const fn seats(&self) -> u32 {
        self.seats
    }

    /// Returns how many decks take turns.
    pub const fn decks(&self) -> u32 {
        self.decks
    }

    /// Returns which of the decks a round is dealt from, by how many rounds the table dealt before
    /// it: decks are counted from 1, and take turns.
    pub const fn deck_after(&self, rounds_dealt: u64) -> u32 {
        // A table has one deck or two.
        if self.decks == 1 || rounds_dealt.is_multiple_of(2) { 1 } else { 2 }
    }

    /// Returns the color of the backs of the deck that a round is dealt from, by how many rounds
    /// the table dealt before it. Two decks have two.
    pub const fn deck_colour_after(&self, rounds_dealt: u64) -> DeckColour {
        if self.deck_after(rounds_dealt) == 1 { DeckColour::Red } else { DeckColour::Blue }
    }

    /// Returns the multiples of the Ante that the house allows: before the flop, or with a pair.
    pub fn raises(&self) -> &[u32] {
        &self.raises
    }

    /// Tells whether a dealer's hand may be too weak to qualify.
    pub const fn qualifying(&self) -> bool {
        self.qualifying
    }

    /// Returns how many games a player may wager on: the Ante with what belongs to it is one, a
    /// bonus another.
    pub const fn games_per_player(&self) -> u32 {
        self.games_per_player
    }

    /// Returns how many seats a player may have.
    pub const fn seats_per_player(&self) -> u32 {
        self.seats_per_player
    }

    /// Returns what the Blind pays.
    pub const fn blind_paytable(&self) -> &PayTable {
        &self.blind_paytable
    }

    /// Returns what the bonus may pay, the usual table first. None, and there is no bonus.
    pub fn bonus_paytables(&self) -> &[Arc<PayTable>] {
        &self.bonus_paytables
    }

    /// Returns what may be wagered.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns who banks, and on what terms.
    pub const fn banking(&self) -> Banking {
        self.banking
    }

    /// Returns a bound on what one round can hand out over all seats, stakes included.
    ///
    /// # Panics
    ///
    /// Never: a house whose rounds could hand out more than an amount is refused when it is read.
    pub fn most_paid(&self) -> Amount {
        let most = Draft::from(self.clone()).most_paid().and_then(|most| i64::try_from(most).ok());
        Amount::cents(most.expect("a checked house has a bound"))
    }
}

/// Reads the multiples that the house allows.
fn read_raises(definition: &mut Definition, game: Option<Game>) -> Option<Vec<u32>> {
    // The sheet of the three-card game leaves no choice, so its houses need not say it.
    if game == Some(Game::Utcp) && !definition.has("raises") {
        return Some(vec![1, 2, 3]);
    }
    let numbers = definition.numbers("raises")?;
    let raises: Option<Vec<u32>> = numbers
        .iter()
        .map(|&number| u32::try_from(number).ok().filter(|&raise| raise > 0))
        .collect();
    let rising = raises.as_ref().is_some_and(|raises| raises.is_sorted_by(|a, b| a < b));
    if !rising || numbers.is_empty() {
        definition.fault("raises", "write whole numbers above zero, rising, as in [3, 4]");
        return None;
    }
    raises
}

/// Finds a pay table for a wager.
fn find(
    definition: &mut Definition,
    path: &str,
    id: &str,
    bet: PayTableBet,
    paytables: &[PayTable],
) -> Option<PayTable> {
    match paytables.iter().find(|table| table.id() == id) {
        Some(table) if table.bet() == bet => Some(table.clone()),
        Some(table) => {
            let message =
                format!("{id} is a pay table for {}, not for {}", table.bet().id(), bet.id());
            definition.fault(path, message);
            None
        }
        None => {
            let fitting = paytables.iter().filter(|table| table.bet() == bet).map(PayTable::id);
            let known = fitting.collect::<Vec<_>>().join(", ");
            definition.fault(path, format!("\"{id}\" is unknown: write one of {known}"));
            None
        }
    }
}

fn read_blind_paytable(definition: &mut Definition, paytables: &[PayTable]) -> Option<PayTable> {
    let id = definition.text("blind_paytable")?;
    find(definition, "blind_paytable", &id, PayTableBet::Blind, paytables)
}

fn read_bonus_paytables(
    definition: &mut Definition,
    game: Option<Game>,
    paytables: &[PayTable],
) -> Option<Vec<Arc<PayTable>>> {
    let ids = definition.texts("bonus_paytables")?;
    let bet = PayTableBet::bonus_of(game?);
    let again = ids.iter().enumerate().find(|(index, id)| ids[..*index].contains(id));
    if let Some((_, id)) = again {
        definition.fault("bonus_paytables", format!("{id} is there twice"));
    }
    let tables: Vec<_> =
        ids.iter().map(|id| find(definition, "bonus_paytables", id, bet, paytables)).collect();
    tables.into_iter().map(|table| table.map(Arc::new)).collect()
}

fn read_limits(definition: &mut Definition) -> DraftLimits {
    let [unit, ante_min, ante_max, bonus_min, bonus_max] =
        ["unit", "ante_min", "ante_max", "bonus_min", "bonus_max"]
            .map(|field| definition.number(&format!("limits.{field}"), 1).map(Amount::cents));
    let [single_wager_max, round_payout_max] =
        ["limits.single_wager_max", "limits.round_payout_max"].map(|path| {
            // If it is there and no number, that is noted, and there will be no house.
            let there = definition.has(path);
            there.then(|| definition.number(path, 1)).flatten().map(Amount::cents)
        });
    DraftLimits {
        unit,
        ante_min,
        ante_max,
        bonus_min,
        bonus_max,
        single_wager_max,
        round_payout_max,
    }
}

fn read_banking(
    definition: &mut Definition,
    by: Option<Bank>,
    edition: Edition,
) -> Option<Banking> {
    let Some(by) = by else {
        definition.skip("banking.coverage");
        definition.skip("banking.max_consecutive");
        return None;
    };
    match by {
        Bank::House => Some(Banking::House),
        Bank::PlayerDealer => {
            let coverage = if definition.has("banking.coverage") {
                definition.word("banking.coverage")
            } else {
                Some(match edition {
                    Edition::First => Coverage::Payoffs,
                    Edition::Second => Coverage::Action,
                })
            };
            let max_consecutive = definition.count("banking.max_consecutive");
            Some(Banking::PlayerDealer { coverage: coverage?, max_consecutive: max_consecutive? })
        }
    }
}

/// A house is written with the fields that it is read from.
impl Serialize for House {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct BankingFields {
            by: Bank,
            #[serde(skip_serializing_if = "Option::is_none")]
            coverage: Option<Coverage>,
            #[serde(skip_serializing_if = "Option::is_none")]
            max_consecutive: Option<u32>,
        }

        #[derive(Serialize)]
        struct Fields<'a> {
            id: &'a str,
            title: &'a str,
            source: &'a str,
            game: Game,
            deal: Deal,
            payoff_order: PayoffOrder,
            ante_refund: AnteRefund,
            seats: u32,
            decks: u32,
            raises: &'a [u32],
            qualifying: bool,
            games_per_player: u32,
            seats_per_player: u32,
            blind_paytable: &'a str,
            bonus_paytables: Vec<&'a str>,
            limits: &'a Limits,
            banking: BankingFields,
        }

        let (coverage, max_consecutive) = match self.banking {
            Banking::House => (None, None),
            Banking::PlayerDealer { coverage, max_consecutive } => {
                (Some(coverage), Some(max_consecutive))
            }
        };
        Fields {
            id: &self.id,
            title: &self.title,
            source: &self.source,
            game: self.game,
            deal: self.deal,
            payoff_order: self.payoff_order,
            ante_refund: self.ante_refund,
            seats: self.seats,
            decks: self.decks,
            raises: &self.raises,
            qualifying: self.qualifying,
            games_per_player: self.games_per_player,
            seats_per_player: self.seats_per_player,
            blind_paytable: self.blind_paytable.id(),
            bonus_paytables: self.bonus_paytables.iter().map(|table| table.id()).collect(),
            limits: &self.limits,
            banking: BankingFields { by: self.banking.by(), coverage, max_consecutive },
        }
        .serialize(serializer)
    }
}
