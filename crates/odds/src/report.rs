//! Results for programs: the JSON that `croupier … --json` prints and the server returns.
//!
//! The names of the fields are a promise: they stay the same. Every exact value is a fraction of
//! strings, next to its nearest float; a number of deals is a string, because it is more than many
//! programs can hold.

use croupier_rules::{Decision, PayTable};
use serde::{Serialize, Serializer};

use crate::advice::Advice;
use crate::cost::Cost;
use crate::fraction::Fraction;
use crate::holdem::Holdem;
use crate::hole_kind::HoleKind;
use crate::sheet::{BonusSheet, MainSheet};
use crate::strategy::{Strategy, street_key};
use crate::terms::Terms;
use crate::three_card::ThreeCard;

/// The value of a choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ActionReport {
    /// The choice: `check`, `fold`, or `bet N` for N times the Ante.
    #[cfg_attr(feature = "schema", schema(example = "bet 4"))]
    pub action: String,
    /// Its winnings, in antes.
    #[cfg_attr(feature = "schema", schema(example = 0.5))]
    pub ev: f64,
    /// The same, exactly.
    pub exact: Fraction,
}

impl ActionReport {
    fn of_all(actions: &[(Decision, Fraction)]) -> Vec<Self> {
        let report = |&(action, exact): &(Decision, Fraction)| Self {
            action: action.to_string(),
            ev: exact.to_f64(),
            exact,
        };
        actions.iter().map(report).collect()
    }
}

/// The values of the choices in a spot: `croupier advise`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AdviceReport {
    /// The street of the decision: `pre-flop`, `flop`, `river`, or `three-cards`.
    #[cfg_attr(feature = "schema", schema(example = "flop"))]
    pub street: &'static str,
    /// Every choice, the largest bet first.
    pub actions: Vec<ActionReport>,
    /// The best choice. Among equals, the one that risks least.
    #[cfg_attr(feature = "schema", schema(example = "bet 2"))]
    pub best: String,
}

impl From<&Advice> for AdviceReport {
    fn from(advice: &Advice) -> Self {
        Self {
            street: advice.street.id(),
            actions: ActionReport::of_all(&advice.actions),
            best: advice.best.to_string(),
        }
    }
}

/// The PAR sheet of a game: `croupier odds`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OddsReport {
    /// The game.
    #[cfg_attr(feature = "schema", schema(example = "uth"))]
    pub game: &'static str,
    /// The id of the pay table of the Blind.
    #[cfg_attr(feature = "schema", schema(example = "UTH"))]
    pub blind: String,
    /// The id of the pay table of the bonus.
    #[cfg_attr(feature = "schema", schema(example = "UTH-01"))]
    pub bonus: String,
    /// The multiples of the ante that may be bet before the flop, or with a pair.
    pub raises: Vec<u32>,
    /// Whether the dealer has to qualify.
    pub qualifying: bool,
    /// The number of deals, all of them counted.
    #[cfg_attr(feature = "schema", schema(example = "27813810024000", pattern = "^[0-9]+$"))]
    pub deals: String,
    /// How many seconds it took to count them.
    #[cfg_attr(feature = "schema", schema(minimum = 0.0))]
    pub seconds: f64,
    /// The results of Ante, Blind and Play, per ante.
    pub main: MainReport,
    /// The results of the bonus, per unit bet.
    pub bonus_bet: BonusReport,
}

impl OddsReport {
    /// Builds the report from the sheets of a game, with the time it took to compute them.
    pub fn new(
        terms: &Terms,
        bonus_table: &PayTable,
        main: &MainSheet,
        bonus: &BonusSheet,
        seconds: f64,
    ) -> Self {
        Self {
            game: terms.game().id(),
            blind: terms.blind().id().to_owned(),
            bonus: bonus_table.id().to_owned(),
            raises: terms.raises().to_vec(),
            qualifying: terms.qualifying(),
            deals: main.deals.to_string(),
            seconds,
            main: main.into(),
            bonus_bet: BonusReport::new(bonus, main),
        }
    }
}

/// The results of Ante, Blind and Play, per ante.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MainReport {
    /// The player's winnings, exactly.
    pub ev: Fraction,
    /// The house edge.
    #[cfg_attr(feature = "schema", schema(example = 0.021_849_7))]
    pub edge: f64,
    /// The house edge as a share of the total wagered.
    pub element_of_risk: f64,
    /// The average total wagered.
    pub average_wager: f64,
    /// The standard deviation of a round.
    pub standard_deviation: f64,
    /// The player's winnings on each of the three.
    pub bets: BetsReport,
    /// How often each action ends the decisions, the largest bet first and the fold last.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(
        feature = "schema",
        schema(value_type = std::collections::BTreeMap<String, f64>)
    )]
    pub frequency: Vec<(String, f64)>,
    /// The outcomes, each with the number of its deals.
    pub outcomes: Vec<OutcomeReport>,
    /// Every net result and the number of deals that end with it, from the worst.
    pub distribution: Vec<ResultReport>,
}

impl From<&MainSheet> for MainReport {
    fn from(main: &MainSheet) -> Self {
        let [ante, blind, play] = main.bets.map(Fraction::to_f64);
        let frequency = main.frequency.iter();
        let outcomes = main.outcomes.iter().map(|outcome| OutcomeReport {
            action: outcome.action.to_string(),
            result: outcome.result.id(),
            dealer_qualifies: outcome.dealer_qualifies,
            hand: outcome.hand.id(),
            deals: outcome.deals.to_string(),
            net: outcome.net().to_f64(),
        });
        let distribution = main
            .distribution
            .iter()
            .map(|(net, deals)| ResultReport { net: net.to_f64(), deals: deals.to_string() });
        Self {
            ev: main.ev,
            edge: main.edge().to_f64(),
            element_of_risk: main.element_of_risk.to_f64(),
            average_wager: main.average_wager.to_f64(),
            standard_deviation: main.standard_deviation(),
            bets: BetsReport { ante, blind, play },
            frequency: frequency
                .map(|(action, share)| (action.to_string(), share.to_f64()))
                .collect(),
            outcomes: outcomes.collect(),
            distribution: distribution.collect(),
        }
    }
}

/// The player's winnings on each wager of the main game, per ante.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetsReport {
    /// On the Ante.
    pub ante: f64,
    /// On the Blind.
    pub blind: f64,
    /// On Play.
    pub play: f64,
}

/// All deals with the same outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OutcomeReport {
    /// The player's last action: a bet, or the fold.
    #[cfg_attr(feature = "schema", schema(example = "bet 4"))]
    pub action: String,
    /// The result: `win`, `lose`, `push` or `fold`.
    #[cfg_attr(feature = "schema", schema(example = "win"))]
    pub result: &'static str,
    /// Whether the dealer qualified.
    pub dealer_qualifies: bool,
    /// The player's hand.
    #[cfg_attr(feature = "schema", schema(example = "full-house"))]
    pub hand: &'static str,
    /// The number of deals.
    #[cfg_attr(feature = "schema", schema(pattern = "^[0-9]+$"))]
    pub deals: String,
    /// The player's net result, in antes.
    pub net: f64,
}

/// A net result, and the number of deals that end with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ResultReport {
    /// The player's net result, in antes.
    pub net: f64,
    /// The number of deals.
    #[cfg_attr(feature = "schema", schema(pattern = "^[0-9]+$"))]
    pub deals: String,
}

/// The results of the bonus, per unit bet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BonusReport {
    /// The player's winnings, exactly.
    pub ev: Fraction,
    /// The house edge.
    pub edge: f64,
    /// How often it pays.
    pub hit_frequency: f64,
    /// The standard deviation.
    pub standard_deviation: f64,
    /// The bonus and the main game together.
    pub with_main: TogetherReport,
}

impl BonusReport {
    fn new(bonus: &BonusSheet, main: &MainSheet) -> Self {
        Self {
            ev: bonus.ev,
            edge: bonus.edge().to_f64(),
            hit_frequency: bonus.hit_frequency.to_f64(),
            standard_deviation: bonus.standard_deviation(),
            with_main: TogetherReport {
                standard_deviation: bonus.standard_deviation_together(main),
                correlation: bonus.correlation(main),
            },
        }
    }
}

/// The main game and a bonus of one ante, together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TogetherReport {
    /// The standard deviation of a round, in antes.
    pub standard_deviation: f64,
    /// How closely the bonus follows the main game, from -1 to 1, if both vary at all.
    pub correlation: Option<f64>,
}

/// The best strategy at its first decision, hand by hand: `croupier chart`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChartReport {
    /// The game.
    #[cfg_attr(feature = "schema", schema(example = "uth"))]
    pub game: &'static str,
    /// The id of the pay table of the Blind.
    #[cfg_attr(feature = "schema", schema(example = "UTH"))]
    pub blind: String,
    /// The multiples of the ante that may be bet before the flop, or with a pair.
    pub raises: Vec<u32>,
    /// Whether the dealer has to qualify.
    pub qualifying: bool,
    /// The number of deals, all of them counted.
    #[cfg_attr(feature = "schema", schema(example = "27813810024000", pattern = "^[0-9]+$"))]
    pub deals: String,
    /// The hands: the 169 before the flop, row by row in the usual order of a chart, aces first and
    /// suited hands above the diagonal; or those of three cards, the strongest first.
    pub hands: Vec<HandReport>,
}

/// A hand and its best play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandReport {
    /// The hand, standing for all that differ only in the names of suits: `AKs`, or `As Ks Qs`.
    #[cfg_attr(feature = "schema", schema(example = "AKs"))]
    pub hand: String,
    /// The number of such hands.
    pub combinations: u32,
    /// The best choice.
    #[cfg_attr(feature = "schema", schema(example = "bet 4"))]
    pub best: String,
    /// Every choice, the one that risks least first.
    pub actions: Vec<ActionReport>,
}

impl ChartReport {
    /// Lists the 169 hands before the flop.
    pub fn holdem(solved: &Holdem) -> Self {
        let kinds: Vec<HoleKind> = HoleKind::all().collect();
        let hands = kinds.into_iter().rev().map(|kind| HandReport {
            hand: kind.to_string(),
            combinations: kind.combinations(),
            best: solved.best_before_flop(kind).to_string(),
            actions: ActionReport::of_all(&solved.before_flop(kind)),
        });
        Self::new(solved.terms(), crate::holdem::HOLDEM_DEALS, hands.collect())
    }

    /// Lists the hands of three cards.
    pub fn three_card(solved: &ThreeCard) -> Self {
        let hands = solved.forms().into_iter().map(|form| HandReport {
            hand: form.cards.to_string(),
            combinations: form.multiplicity,
            best: form.best.to_string(),
            actions: ActionReport::of_all(&form.actions),
        });
        Self::new(solved.terms(), crate::three_card::THREE_CARD_DEALS, hands.collect())
    }

    fn new(terms: &Terms, deals: i128, hands: Vec<HandReport>) -> Self {
        Self {
            game: terms.game().id(),
            blind: terms.blind().id().to_owned(),
            raises: terms.raises().to_vec(),
            qualifying: terms.qualifying(),
            deals: deals.to_string(),
            hands,
        }
    }
}

/// The cost of a strategy, and of each of its rules: `croupier cost`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CostReport {
    /// The game.
    #[cfg_attr(feature = "schema", schema(example = "uth"))]
    pub game: &'static str,
    /// The id of the strategy.
    #[cfg_attr(feature = "schema", schema(example = "short"))]
    pub strategy: String,
    /// Its title.
    pub title: String,
    /// The id of the pay table of the Blind.
    #[cfg_attr(feature = "schema", schema(example = "UTH"))]
    pub blind: String,
    /// The multiples of the ante that may be bet before the flop, or with a pair.
    pub raises: Vec<u32>,
    /// Whether the dealer has to qualify.
    pub qualifying: bool,
    /// The number of deals, all of them counted.
    #[cfg_attr(feature = "schema", schema(example = "27813810024000", pattern = "^[0-9]+$"))]
    pub deals: String,
    /// How many seconds it took to count them.
    #[cfg_attr(feature = "schema", schema(minimum = 0.0))]
    pub seconds: f64,
    /// The winnings of a player who follows it, per ante, exactly.
    pub ev: Fraction,
    /// The house edge against it.
    pub edge: f64,
    /// How much more the best play wins.
    pub cost: f64,
    /// The same, exactly.
    pub exact: Fraction,
    /// The cost of each rule, street by street.
    pub rules: Vec<RuleReport>,
}

/// The cost of a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RuleReport {
    /// The street, by its name in files: `before-flop`, `flop`, `river`, or `three-cards`.
    #[cfg_attr(feature = "schema", schema(example = "flop"))]
    pub street: &'static str,
    /// The rule's name.
    pub rule: String,
    /// The share of all rounds in which it decides.
    pub frequency: f64,
    /// Its cost, per ante.
    pub cost: f64,
    /// The same, exactly.
    pub exact: Fraction,
}

impl CostReport {
    /// Builds the report on the cost of a strategy, with the time it took to compute it.
    pub fn new(strategy: &Strategy, terms: &Terms, cost: &Cost, seconds: f64) -> Self {
        let rules = cost.rules.iter().map(|rule| RuleReport {
            street: street_key(rule.street),
            rule: rule.name.clone(),
            frequency: rule.frequency.to_f64(),
            cost: rule.cost.to_f64(),
            exact: rule.cost,
        });
        Self {
            game: strategy.game().id(),
            strategy: strategy.id().to_owned(),
            title: strategy.title().to_owned(),
            blind: terms.blind().id().to_owned(),
            raises: terms.raises().to_vec(),
            qualifying: terms.qualifying(),
            deals: cost.sheet.deals.to_string(),
            seconds,
            ev: cost.sheet.ev,
            edge: cost.sheet.edge().to_f64(),
            cost: cost.cost.to_f64(),
            exact: cost.cost,
            rules: rules.collect(),
        }
    }
}

/// Serializes pairs as an object, in their order.
fn as_map<S: Serializer>(pairs: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}
