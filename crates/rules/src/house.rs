//! A house: a game with its terms and its bank.

use std::iter;
use std::sync::Arc;

use croupier_cards::Category;
use serde::{Serialize, Serializer};

use crate::amount::Amount;
use crate::catalog::{KnownId, looks_like};
use crate::closed_set::{ClosedSet, closed_set};
use crate::definition::{Definition, Faults};
use crate::edition::Edition;
use crate::game::{Deal, Game, Raises};
use crate::paytable::{PayTable, PayTableBet};
use crate::ratio::Ratio;
use crate::seat::Seat;

closed_set! {
    /// The order in which seats are paid.
    PayoffOrder {
        /// From the casino dealer's right: the highest number first.
        HighestSeatFirst = "highest-seat-first",
        /// From the casino dealer's left: the lowest number first.
        LowestSeatFirst = "lowest-seat-first",
        /// Clockwise from the player/dealer's left.
        LeftOfBanker = "left-of-banker",
    }
}

impl PayoffOrder {
    /// Returns a seat's place in the order, given the banker's seat: the smallest is first.
    pub(crate) const fn place(self, banker: Option<Seat>, seat: Seat) -> u32 {
        let number = seat.number();
        match (self, banker) {
            (Self::HighestSeatFirst, _) => 8 - number,
            (Self::LeftOfBanker, Some(banker)) => (number + 8 - banker.number()) % 8,
            (Self::LowestSeatFirst | Self::LeftOfBanker, _) => number,
        }
    }
}

closed_set! {
    /// When Antes push if the dealer does not qualify. It changes the order of settlement, not
    /// the amounts.
    AnteRefund {
        /// All at once, before any hand is compared.
        FirstPass = "first-pass",
        /// Each when its seat is settled.
        BySeat = "by-seat",
    }
}

closed_set! {
    /// The moves of chips that use up the player/dealer's posted wager.
    Coverage {
        /// Payoffs and collections: the bank can neither win nor lose more than it posted.
        Action = "action",
        /// Payoffs only.
        Payoffs = "payoffs",
    }
}

closed_set! {
    /// The color of a deck's backs.
    DeckColor {
        /// Of the first deck.
        Red = "red",
        /// Of the second.
        Blue = "blue",
    }
}

closed_set! {
    /// The side that pays and collects.
    Bank {
        /// The house.
        House = "house",
        /// One of the players, in turn.
        PlayerDealer = "player-dealer",
    }
}

/// The limits on wagers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Limits {
    /// The step of every wager. Every payoff on it is a whole number of cents.
    pub unit: Amount,
    /// The smallest Ante.
    pub ante_min: Amount,
    /// The largest Ante.
    pub ante_max: Amount,
    /// The smallest bonus wager, if one is made at all.
    pub bonus_min: Amount,
    /// The largest bonus wager.
    pub bonus_max: Amount,
    /// The largest wager of any kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub single_wager_max: Option<Amount>,
    /// The maximum aggregate payout in one round, over all Blinds and bonus wagers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub round_payout_max: Option<Amount>,
}

/// The bank and its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Banking {
    /// The house.
    House,
    /// One of the players, in turn.
    PlayerDealer {
        /// The moves of chips that use up the posted wager.
        coverage: Coverage,
        /// The most rounds in a row that one player can bank.
        max_consecutive: u32,
    },
}

impl Banking {
    /// Returns which side banks.
    pub const fn by(self) -> Bank {
        match self {
            Self::House => Bank::House,
            Self::PlayerDealer { .. } => Bank::PlayerDealer,
        }
    }
}

/// A game with its terms, already checked: code that has one doesn't need to check it again.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct House {
    def: HouseDef,
}

/// The fields of a house, not checked yet. Its JSON has them in this order.
///
/// A new field goes into three places: here, in [`HouseDef::read`], and in a method of [`House`]
/// that returns it. If not every value of it makes sense, [`HouseDef::check`] reports those that
/// don't.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "schema",
    schema(description = "A game with its terms and its banking. Amounts are in cents.")
)]
struct HouseDef {
    /// Not part of the JSON: the code that reads a house knows its edition.
    #[serde(skip)]
    edition: Edition,
    /// The id, by which records refer to it.
    #[cfg_attr(feature = "schema", schema(example = "uth-standard"))]
    id: String,
    /// The title.
    title: String,
    /// The document it comes from.
    source: String,
    game: Game,
    deal: Deal,
    payoff_order: PayoffOrder,
    ante_refund: AnteRefund,
    /// The number of seats, including that of a player who banks.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 8))]
    seats: u32,
    /// The number of decks that alternate.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 2))]
    decks: u32,
    /// The multiples of the Ante that may be bet before the flop, or with a pair.
    raises: Vec<u32>,
    /// Whether the dealer needs a minimum hand to qualify.
    qualifying: bool,
    /// The number of games that a player may wager on.
    games_per_player: u32,
    /// The number of seats that a player may have.
    seats_per_player: u32,
    /// The id of the Blind's pay table.
    #[serde(serialize_with = "write_id")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    blind_paytable: PayTable,
    /// The ids of the pay tables that the bonus may use, the default first.
    #[serde(serialize_with = "write_ids")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    bonus_paytables: Vec<Arc<PayTable>>,
    limits: Limits,
    banking: Banking,
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for House {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        HouseDef::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for House {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        HouseDef::schemas(schemas);
    }
}

impl House {
    /// Reads a house written in TOML that uses pay tables from this list.
    ///
    /// # Errors
    ///
    /// All its faults, with line numbers.
    pub fn from_toml(text: &str, paytables: &[PayTable]) -> Result<Self, Faults> {
        Self::checked(Definition::from_toml(text), paytables, Edition::CURRENT, &[])
    }

    /// Reads a user's house, which can't have the name of a shipped one.
    pub(crate) fn from_own_toml(
        text: &str,
        paytables: &[PayTable],
        shipped: &[Arc<Self>],
    ) -> Result<Self, Faults> {
        Self::checked(Definition::from_toml(text), paytables, Edition::CURRENT, shipped)
    }

    /// Reads a house written in JSON, as in a round record, that uses pay tables from this list.
    ///
    /// # Errors
    ///
    /// All its faults.
    pub fn from_json(value: &serde_json::Value, paytables: &[PayTable]) -> Result<Self, Faults> {
        Self::from_json_of(value, paytables, Edition::CURRENT)
    }

    /// Reads a house written in JSON under an edition of the rules.
    ///
    /// # Errors
    ///
    /// All its faults.
    pub fn from_json_of(
        value: &serde_json::Value,
        paytables: &[PayTable],
        edition: Edition,
    ) -> Result<Self, Faults> {
        Self::checked(Definition::from_json(value), paytables, edition, &[])
    }

    /// Reads a former house that shipped with Croupier.
    pub(crate) fn from_toml_of(
        text: &str,
        paytables: &[PayTable],
        edition: Edition,
    ) -> Result<Self, Faults> {
        Self::checked(Definition::from_toml(text), paytables, edition, &[])
    }

    /// Returns the house under another edition of the rules.
    pub(crate) fn in_edition(&self, edition: Edition) -> Self {
        Self { def: HouseDef { edition, ..self.def.clone() } }
    }

    /// Returns the house with another deal or another Blind pay table, checked again.
    pub(crate) fn changed(
        &self,
        deal: Option<&str>,
        blind_paytable: Option<&str>,
        paytables: &[PayTable],
    ) -> Result<Self, Faults> {
        let changes = [("deal", deal), ("blind_paytable", blind_paytable)];
        let changes = changes.into_iter().filter_map(|(field, id)| Some((field, id?)));
        let mut definition = Definition::from_json(&changes.collect());
        let mut def = self.def.clone();
        if definition.has("deal") {
            def.deal = word(&mut definition, "deal");
        }
        if definition.has("blind_paytable") {
            def.blind_paytable = read_blind_paytable(&mut definition, paytables);
        }
        def.check(&mut definition);
        let house = definition.knows_all().then_some(Self { def });
        definition.finish(house)
    }

    fn checked(
        mut definition: Definition,
        paytables: &[PayTable],
        edition: Edition,
        shipped: &[Arc<Self>],
    ) -> Result<Self, Faults> {
        let def = HouseDef::read(&mut definition, paytables, edition);
        def.check(&mut definition);
        def.check_names(&mut definition, shipped);
        let house = definition.knows_all().then_some(Self { def });
        // Only a user's house is new; others are already in journals and records.
        if let Some(house) = house.as_ref().filter(|_| !shipped.is_empty()) {
            definition.refuse(house.admission_faults());
        }
        definition.finish(house)
    }
}

impl HouseDef {
    /// Reads all fields, so that all format faults are found. A stand-in takes the place of a
    /// field that can't be read; the definition remembers which fields those are.
    fn read(definition: &mut Definition, paytables: &[PayTable], edition: Edition) -> Self {
        let game = definition.word("game");
        Self {
            edition,
            id: text(definition, "id"),
            title: text(definition, "title"),
            source: text(definition, "source"),
            game: definition.read_or(Game::Uth, "game", |_, _| game),
            deal: word(definition, "deal"),
            payoff_order: word(definition, "payoff_order"),
            ante_refund: word(definition, "ante_refund"),
            seats: count(definition, "seats"),
            decks: count(definition, "decks"),
            raises: read_raises(definition, game),
            qualifying: definition.read_or(false, "qualifying", Definition::flag),
            games_per_player: count(definition, "games_per_player"),
            seats_per_player: count(definition, "seats_per_player"),
            blind_paytable: read_blind_paytable(definition, paytables),
            bonus_paytables: read_bonus_paytables(definition, game, paytables),
            limits: read_limits(definition),
            banking: read_banking(definition, edition),
        }
    }

    /// Checks what the fields mean. Each check runs if the definition knows the fields it looks
    /// at, whatever faults there are elsewhere.
    fn check(&self, definition: &mut Definition) {
        self.check_game(definition);
        self.check_seats(definition);
        self.check_unit(definition);
        self.check_most_paid(definition);
        self.check_limits(definition);
        self.check_single_wager_max(definition);
        self.check_round_payout_max(definition);
    }

    /// Checks that it can't be mistaken for a house that ships with Croupier.
    fn check_names(&self, definition: &mut Definition, shipped: &[Arc<House>]) {
        for (field, own) in self.names() {
            let known = shipped.iter().find_map(|house| house.has_name(field, own));
            if let Some(known) = known.filter(|_| definition.knows(&[field])) {
                definition.fault(field, known.to_string());
            }
        }
    }

    /// Checks the fields that depend on the game.
    fn check_game(&self, definition: &mut Definition) {
        if !definition.knows(&["game"]) {
            return;
        }
        let (deals, title) = (self.game.def().deals, self.game.def().title);
        if definition.knows(&["deal"]) && !deals.contains(&self.deal) {
            let known: Vec<&str> = deals.iter().map(|deal| deal.id()).collect();
            definition.fault("deal", format!("{title} is dealt as {}", known.join(" or ")));
        }
        if definition.knows(&["blind_paytable"]) && !self.blind_paytable.fits(self.game) {
            let id = self.blind_paytable.id();
            let message = format!("{id} pays for hands that {title} doesn't have");
            definition.fault("blind_paytable", message);
        }
        if definition.knows(&["raises"]) && self.game == Game::Utcp && self.raises[0] != 1 {
            definition.fault("raises", "with three cards the first must be 1");
        }
    }

    /// Checks the table, and the fields that depend on the bank.
    fn check_seats(&self, definition: &mut Definition) {
        let by = self.banking.by();
        // A banker plays against at least one other; the felt has seven more places.
        let (least, most) = match by {
            Bank::House => (1, 7),
            Bank::PlayerDealer => (2, 8),
        };
        if definition.knows(&["banking.by", "seats"]) && !(least..=most).contains(&self.seats) {
            let message = format!("a table banked by {} has {least} to {most} seats", by.id());
            definition.fault("seats", message);
        }
        if definition.knows(&["decks"]) && self.decks > 2 {
            definition.fault("decks", "a table has one deck, or two that alternate");
        }
        let each = self.seats_per_player;
        if definition.knows(&["seats", "seats_per_player"]) && each > self.seats {
            definition.fault("seats_per_player", "the table doesn't have that many seats");
        }
        let misplaced = by == Bank::House && self.payoff_order == PayoffOrder::LeftOfBanker;
        if definition.knows(&["banking.by", "payoff_order"]) && misplaced {
            let message = "left-of-banker is only for a player/dealer: the house banks here";
            definition.fault("payoff_order", message);
        }
        let limited = self.limits.round_payout_max.is_some();
        if definition.knows(&["banking.by"]) && limited && by == Bank::PlayerDealer {
            let message = "the posted wager already limits what a player/dealer pays";
            definition.fault("limits.round_payout_max", message);
        }
    }

    /// Checks that every payoff on a unit is in whole cents.
    fn check_unit(&self, definition: &mut Definition) {
        if !definition.knows(&["game", "limits.unit"]) {
            return;
        }
        let unit = self.limits.unit;
        // A pay table that could not be read has no lines here.
        let bonuses = self.bonus_paytables.iter().map(|table| &**table);
        for table in iter::once(&self.blind_paytable).chain(bonuses) {
            for (hand, pays) in table.lines(self.game) {
                if unit.as_cents() % i64::from(pays.per()) != 0 {
                    let message = format!(
                        "{unit} cannot be paid at {pays:#}, which {} pays for a {hand}: \
                         it must be a multiple of {} cents",
                        table.id(),
                        pays.per()
                    );
                    definition.fault("limits.unit", message);
                }
            }
        }
    }

    /// Checks that the largest round fits an amount.
    fn check_most_paid(&self, definition: &mut Definition) {
        if definition.knows(&["game", "seats", "raises", "blind_paytable", "bonus_paytables"])
            && definition.knows(&["limits.ante_max", "limits.bonus_max"])
            && self.most_paid() > i128::from(i64::MAX)
        {
            definition.fault("limits.ante_max", "a round could pay more than an amount can hold");
        }
    }

    /// Checks that the limits leave room for a wager.
    fn check_limits(&self, definition: &mut Definition) {
        // If the unit is wrong, a limit that isn't a multiple of it may be right.
        if !definition.is_good("limits.unit") {
            return;
        }
        let Limits { unit, ante_min, ante_max, bonus_min, bonus_max, .. } = self.limits;
        let step = unit.as_cents();
        for (bet, least, most) in [("ante", ante_min, ante_max), ("bonus", bonus_min, bonus_max)] {
            let [min, max] = ["min", "max"].map(|end| format!("limits.{bet}_{end}"));
            let whole_units = most.as_cents() / step * step;
            if definition.knows(&[&min, &max]) && whole_units < least.as_cents() {
                let message = format!("no multiple of {unit} is between {least} and {most}");
                definition.fault(&max, message);
                continue;
            }
            for (limit, amount) in [(min, least), (max, most)] {
                if definition.knows(&[&limit]) && amount.as_cents() % step != 0 {
                    let message = format!("{amount} is not a multiple of the unit, {unit}");
                    definition.fault(&limit, message);
                }
            }
        }
    }

    /// Checks that every wager that the other limits allow is within the limit on all wagers.
    fn check_single_wager_max(&self, definition: &mut Definition) {
        let Limits { ante_max: ante, bonus_max: bonus, single_wager_max, .. } = self.limits;
        let Some(largest) = single_wager_max else { return };
        let raise = self.largest_raise();
        if definition.knows(&["game", "raises", "limits.ante_max"])
            && ante.times(raise).is_none_or(|play| play > largest)
        {
            let message = format!("a {raise}x Play bet on an Ante of {ante} would exceed it");
            definition.fault("limits.single_wager_max", message);
        }
        if definition.knows(&["limits.bonus_max"]) && bonus > largest {
            let message = format!("a bonus wager of {bonus} would exceed it");
            definition.fault("limits.single_wager_max", message);
        }
    }

    /// Checks that a payout maximum is not a way to win without paying: it is at least twice the
    /// largest wager that can be made.
    fn check_round_payout_max(&self, definition: &mut Definition) {
        let Limits { ante_max, bonus_max, round_payout_max, .. } = self.limits;
        // A bank that could not be read counts as the house, and such a bonus limit as zero.
        let limited = self.edition >= Edition::Second && self.banking == Banking::House;
        let Some(most) = round_payout_max.filter(|_| limited) else { return };
        if !definition.knows(&["game", "raises", "limits.ante_max"]) {
            return;
        }
        // An Ante that overflows when raised is reported as a separate fault.
        let Some(play) = ante_max.times(self.largest_raise()) else { return };
        let largest = play.max(bonus_max);
        if largest.times(2).is_none_or(|least| most < least) {
            let message = format!(
                "{most} is less than twice the largest wager, {largest}: raise it, or leave it out"
            );
            definition.fault("limits.round_payout_max", message);
        }
    }

    /// Returns the names that a house can't share with a shipped one, by field.
    fn names(&self) -> [(&'static str, &str); 3] {
        [("id", &self.id), ("title", &self.title), ("source", &self.source)]
    }

    /// Returns a bound on the cents that a round could pay out, including stakes.
    fn most_paid(&self) -> i128 {
        let best = |table: &PayTable| table.lines(self.game).map(|(_, pays)| pays).max();
        let cents = |amount: Amount| i128::from(amount.as_cents());
        let Limits { ante_max, bonus_max, .. } = self.limits;
        let blind_best = best(&self.blind_paytable);
        let bonus_best = self.bonus_paytables.iter().filter_map(|table| best(table)).max();
        // A stake goes back with its payoff, rounded up to a whole number of stakes.
        let paid = |most: Amount, pays: Option<Ratio>| {
            let pays = pays.map_or(1, |ratio| ratio.pays().div_ceil(ratio.per()));
            cents(most) * (i128::from(pays) + 1)
        };
        let even = cents(ante_max) * 2 * (i128::from(self.largest_raise()) + 1);
        let seat = even + paid(ante_max, blind_best) + paid(bonus_max, bonus_best);
        // The number of seats may not be checked yet.
        seat.saturating_mul(i128::from(self.seats))
    }

    /// Returns the largest multiple of the Ante that can be bet on any street.
    fn largest_raise(&self) -> u32 {
        self.multiples().max().unwrap_or_default()
    }

    /// Returns every multiple of the Ante that can be bet on some street.
    fn multiples(&self) -> impl Iterator<Item = u32> {
        let streets = self.game.def().streets.iter();
        streets.flat_map(|street| match street.raises {
            Raises::Fixed(multiples) => multiples.to_vec(),
            Raises::House { from: Category::HighCard } => self.raises.clone(),
            // A weaker hand may bet the Ante once.
            Raises::House { .. } => [&[1], &*self.raises].concat(),
        })
    }
}

/// The parts of the house.
impl House {
    /// Returns the edition of the rules that the house plays by.
    pub const fn edition(&self) -> Edition {
        self.def.edition
    }

    /// Returns the name that records use for the house.
    pub fn id(&self) -> &str {
        &self.def.id
    }

    /// Returns the display name.
    pub fn title(&self) -> &str {
        &self.def.title
    }

    /// Tells whether a reader could mistake a string for the house's title, id or source: case,
    /// spaces and punctuation make no difference.
    pub fn is_called(&self, text: &str) -> bool {
        self.has_name("title", text).is_some()
    }

    /// Returns the names that a house can't share with a shipped one, by field.
    pub(crate) fn names(&self) -> [(&'static str, &str); 3] {
        self.def.names()
    }

    /// Returns the fault in another house's name, if a reader could mistake it for one of this
    /// house's names.
    pub(crate) fn has_name(&self, field: &'static str, text: &str) -> Option<KnownId> {
        let own = [("title", &self.def.title), ("id", &self.def.id), ("source", &self.def.source)];
        let same = own.into_iter().find(|(_, own)| looks_like(own, text))?;
        let (text, of) = (text.to_owned(), self.def.id.clone());
        Some(KnownId::Shipped { field, text, theirs: same.0, of })
    }

    /// Returns the document it comes from.
    pub fn source(&self) -> &str {
        &self.def.source
    }

    /// Returns the game.
    pub const fn game(&self) -> Game {
        self.def.game
    }

    /// Returns the order in which cards are dealt.
    pub const fn deal(&self) -> Deal {
        self.def.deal
    }

    /// Returns the order in which seats are paid.
    pub const fn payoff_order(&self) -> PayoffOrder {
        self.def.payoff_order
    }

    /// Returns when Antes are returned if the dealer does not qualify.
    pub const fn ante_refund(&self) -> AnteRefund {
        self.def.ante_refund
    }

    /// Returns the number of seats, including the seat of a player who banks.
    pub const fn seats(&self) -> u32 {
        self.def.seats
    }

    /// Returns the number of decks that alternate.
    pub const fn decks(&self) -> u32 {
        self.def.decks
    }

    /// Returns which deck a round is dealt from, given how many rounds the table dealt before it:
    /// decks are counted from 1, and alternate.
    pub const fn deck_after(&self, rounds_dealt: u64) -> u32 {
        // A table has one deck or two.
        if self.def.decks == 1 || rounds_dealt.is_multiple_of(2) { 1 } else { 2 }
    }

    /// Returns the back color of the deck that a round is dealt from, given how many rounds the
    /// table dealt before it. Two decks have two colors.
    pub const fn deck_color_after(&self, rounds_dealt: u64) -> DeckColor {
        if self.deck_after(rounds_dealt) == 1 { DeckColor::Red } else { DeckColor::Blue }
    }

    /// Returns the multiples of the Ante that the house allows: before the flop, or with a pair.
    pub fn raises(&self) -> &[u32] {
        &self.def.raises
    }

    /// Returns the smallest and the largest multiple of the Ante that can be bet on any street.
    pub fn play_range(&self) -> (u32, u32) {
        let multiples = || self.def.multiples();
        (multiples().min().unwrap_or_default(), multiples().max().unwrap_or_default())
    }

    /// Tells whether the dealer needs a minimum hand to qualify.
    pub const fn qualifying(&self) -> bool {
        self.def.qualifying
    }

    /// Returns how many games a player may wager on: the Ante with its Blind and Play is one, a
    /// bonus is another.
    pub const fn games_per_player(&self) -> u32 {
        self.def.games_per_player
    }

    /// Returns how many seats a player may have.
    pub const fn seats_per_player(&self) -> u32 {
        self.def.seats_per_player
    }

    /// Returns the Blind's pay table.
    pub const fn blind_paytable(&self) -> &PayTable {
        &self.def.blind_paytable
    }

    /// Returns the bonus pay tables, the default first. If the list is empty, there is no bonus.
    pub fn bonus_paytables(&self) -> &[Arc<PayTable>] {
        &self.def.bonus_paytables
    }

    /// Returns the limits on wagers.
    pub const fn limits(&self) -> &Limits {
        &self.def.limits
    }

    /// Returns the bank and its terms.
    pub const fn banking(&self) -> Banking {
        self.def.banking
    }

    /// Returns a bound on what one round can pay out over all seats, including stakes.
    ///
    /// # Panics
    ///
    /// Never: a house whose rounds could overflow an amount is refused when it is read.
    pub fn most_paid(&self) -> Amount {
        Amount::cents(i64::try_from(self.def.most_paid()).expect("a checked house has a bound"))
    }
}

/// Reads a string.
fn text(definition: &mut Definition, path: &str) -> String {
    definition.read_or(String::new(), path, Definition::filled_text)
}

/// Reads a small number above zero.
fn count(definition: &mut Definition, path: &str) -> u32 {
    definition.read_or(0, path, Definition::count)
}

/// Reads one word of a closed set.
fn word<T: ClosedSet>(definition: &mut Definition, path: &str) -> T {
    definition.read_or(T::VALUES[0], path, Definition::word)
}

/// Reads an amount above zero.
fn amount(definition: &mut Definition, path: &str) -> Amount {
    Amount::cents(definition.read_or(0, path, |definition, path| definition.number(path, 1)))
}

/// Reads an amount that can be left out. If it is present but not an amount, that fault is
/// recorded, and it counts as left out.
fn optional_amount(definition: &mut Definition, path: &str) -> Option<Amount> {
    let cents = if definition.has(path) { definition.number(path, 1) } else { None };
    cents.map(Amount::cents)
}

/// Reads the multiples that the house allows.
fn read_raises(definition: &mut Definition, game: Option<Game>) -> Vec<u32> {
    // The three-card rule sheet leaves no choice, so its houses can leave the field out.
    if game == Some(Game::Utcp) && !definition.has("raises") {
        return vec![1, 2, 3];
    }
    definition.read_or(Vec::new(), "raises", |definition, path| {
        let numbers = definition.numbers(path)?;
        let rising = numbers.first() > Some(&0) && numbers.is_sorted_by(|a, b| a < b);
        let raises = numbers.into_iter().map(|number| u32::try_from(number).ok()).collect();
        let raises: Option<Vec<u32>> = if rising { raises } else { None };
        if raises.is_none() {
            let message = "write whole numbers above zero in ascending order, as in [3, 4]";
            definition.fault(path, message);
        }
        raises
    })
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

fn read_blind_paytable(definition: &mut Definition, paytables: &[PayTable]) -> PayTable {
    let stand_in = PayTable::blank(PayTableBet::Blind);
    definition.read_or(stand_in, "blind_paytable", |definition, path| {
        let id = definition.text(path)?;
        find(definition, path, &id, PayTableBet::Blind, paytables)
    })
}

fn read_bonus_paytables(
    definition: &mut Definition,
    game: Option<Game>,
    paytables: &[PayTable],
) -> Vec<Arc<PayTable>> {
    definition.read_or(Vec::new(), "bonus_paytables", |definition, path| {
        let ids = definition.texts(path)?;
        let bet = PayTableBet::bonus_of(game?);
        let again = ids.iter().enumerate().find(|(index, id)| ids[..*index].contains(id));
        if let Some((_, id)) = again {
            definition.fault(path, format!("{id} appears twice"));
        }
        // Every id is looked up before the first unknown one ends the reading.
        let tables: Vec<_> =
            ids.iter().map(|id| find(definition, path, id, bet, paytables)).collect();
        tables.into_iter().map(|table| table.map(Arc::new)).collect()
    })
}

fn read_limits(definition: &mut Definition) -> Limits {
    Limits {
        unit: amount(definition, "limits.unit"),
        ante_min: amount(definition, "limits.ante_min"),
        ante_max: amount(definition, "limits.ante_max"),
        bonus_min: amount(definition, "limits.bonus_min"),
        bonus_max: amount(definition, "limits.bonus_max"),
        single_wager_max: optional_amount(definition, "limits.single_wager_max"),
        round_payout_max: optional_amount(definition, "limits.round_payout_max"),
    }
}

fn read_banking(definition: &mut Definition, edition: Edition) -> Banking {
    let by = definition.read_or(Bank::House, "banking.by", Definition::word);
    if !definition.knows(&["banking.by"]) {
        definition.skip("banking.coverage");
        definition.skip("banking.max_consecutive");
    }
    match by {
        Bank::House => Banking::House,
        Bank::PlayerDealer => Banking::PlayerDealer {
            coverage: match edition {
                _ if definition.has("banking.coverage") => word(definition, "banking.coverage"),
                Edition::First => Coverage::Payoffs,
                Edition::Second => Coverage::Action,
            },
            max_consecutive: count(definition, "banking.max_consecutive"),
        },
    }
}

/// Writes a pay table as its id.
fn write_id<S: Serializer>(table: &PayTable, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(table.id())
}

/// Writes pay tables as their ids.
fn write_ids<S: Serializer>(tables: &[Arc<PayTable>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(tables.iter().map(|table| table.id()))
}
