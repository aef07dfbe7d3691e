//! Checks figures that others have published, to the last deal.

use std::num::NonZero;

use croupier_cards::Category;
use croupier_odds::{
    BonusSheet, Fraction, HOLDEM_DEALS, Holdem, HoleKind, MainSheet, THREE_CARD_DEALS, Terms,
    ThreeCard,
};
use croupier_rules::{Catalog, Decision, Game, Outcome};

const TWO: NonZero<usize> = NonZero::new(2).unwrap();

fn terms(game: Game, blind: &str) -> Terms {
    let catalog = Catalog::shipped();
    Terms::new(game, catalog.paytable(blind).expect("a table").clone()).expect("good terms")
}

fn holdem() -> Holdem {
    Holdem::solve(terms(Game::Uth, "UTH"), TWO)
}

fn deals(sheet: &MainSheet, action: Decision, result: Outcome, qualifies: bool) -> i128 {
    let fits = |outcome: &&croupier_odds::Outcome| {
        (outcome.action, outcome.result, outcome.dealer_qualifies) == (action, result, qualifies)
    };
    sheet.outcomes.iter().filter(fits).map(|outcome| outcome.deals).sum()
}

#[test]
fn texas_holdem_has_the_published_edge_to_the_last_deal() {
    let solved = holdem();
    assert_eq!(HOLDEM_DEALS, 27_813_810_024_000);
    assert_eq!(solved.total(), Fraction::new(-607_723_787_676, 1));

    let sheet = MainSheet::new(solved.terms(), solved.outcomes());
    assert_eq!(sheet.deals, HOLDEM_DEALS);
    // The outcomes add up to the same sum as the values.
    assert_eq!(sheet.ev, Fraction::new(-607_723_787_676, HOLDEM_DEALS));
    let rounded = |number: f64| format!("{number:.6}");
    assert_eq!(rounded(100.0 * sheet.element_of_risk.to_f64()), "0.526219");
    assert_eq!(rounded(sheet.average_wager.to_f64()), "4.152210");
    assert_eq!(rounded(sheet.standard_deviation()), "4.939299");
    assert_eq!(sheet.bets.map(|bet| rounded(bet.to_f64())), ["-0.165770", "-0.314695", "0.458616"]);
}

#[test]
fn rounds_end_with_the_published_frequencies() {
    let solved = holdem();
    let sheet = MainSheet::new(solved.terms(), solved.outcomes());
    for (times, win, win_unqualified, tie, lose, lose_unqualified) in [
        (
            4,
            4_479_100_669_480,
            1_689_408_747_600,
            285_142_270_600,
            3_931_554_359_920,
            102_655_952_400,
        ),
        (
            2,
            2_711_313_916_044,
            1_168_005_018_420,
            191_611_691_060,
            1_841_155_221_088,
            7_978_353_108,
        ),
        (1, 2_007_198_023_576, 897_572_713_536, 418_316_748_076, 2_699_293_807_356, 47_189_745_096),
    ] {
        let count = |result, qualifies| deals(&sheet, Decision::Bet(times), result, qualifies);
        let ties = count(Outcome::Push, true) + count(Outcome::Push, false);
        assert_eq!(
            [count(Outcome::Win, true), count(Outcome::Win, false), ties],
            [win, win_unqualified, tie]
        );
        assert_eq!(
            [count(Outcome::Lose, true), count(Outcome::Lose, false)],
            [lose, lose_unqualified]
        );
    }
    let folds =
        [true, false].map(|qualifies| deals(&sheet, Decision::Fold, Outcome::Fold, qualifies));
    assert_eq!(folds.iter().sum::<i128>(), 5_336_312_786_640);
    assert_eq!(
        sheet.frequency.iter().map(|(action, _)| action.to_string()).collect::<Vec<_>>(),
        ["bet 4", "bet 3", "bet 2", "bet 1", "fold"]
    );

    let wins = |hand| -> i128 {
        let wins = sheet.outcomes.iter();
        let wins = wins.filter(|outcome| outcome.hand == hand && outcome.result == Outcome::Win);
        wins.map(|outcome| outcome.deals).sum()
    };
    assert_eq!(wins(Category::RoyalFlush), 856_152_000);
    assert_eq!(wins(Category::StraightFlush), 7_342_371_440);
    assert_eq!(wins(Category::FourOfAKind), 42_405_740_364);
    assert_eq!(wins(Category::FullHouse), 628_105_004_640);
    assert_eq!(wins(Category::Flush), 715_231_952_880);
    assert_eq!(wins(Category::Straight), 1_036_850_760_720);
}

#[test]
fn sixty_nine_hands_raise_and_none_raises_3x() {
    let solved = holdem();
    let best = |kind| solved.best_before_flop(kind);
    let raising: Vec<HoleKind> =
        HoleKind::all().filter(|&kind| best(kind) == Decision::Bet(4)).collect();
    assert_eq!(raising.len(), 69);
    assert_eq!(raising.iter().map(|kind| kind.combinations()).sum::<u32>(), 500);
    assert!(HoleKind::all().all(|kind| best(kind) != Decision::Bet(3)));
    // 4x minus check, where it is closest.
    for (name, difference) in [
        ("K2s", "0.005413"),
        ("J8s", "0.011068"),
        ("Q6s", "0.022046"),
        ("Q8o", "0.023134"),
        ("K5o", "0.033518"),
        ("T9s", "-0.020316"),
        ("Q5s", "-0.021212"),
        ("K4o", "-0.022797"),
        ("J9o", "-0.031452"),
        ("22", "-0.108399"),
    ] {
        let kind = HoleKind::all().find(|kind| kind.to_string() == name).expect("a hand");
        let values = solved.before_flop(kind);
        let value = |decision| {
            let found = values.iter().find(|(other, _)| *other == decision);
            found.expect("a choice").1.to_f64()
        };
        let found = value(Decision::Bet(4)) - value(Decision::Check);
        assert_eq!(format!("{found:.6}"), difference, "{name}");
    }
}

#[test]
fn changed_terms_have_the_published_edge() {
    let edge = |terms: Terms| {
        let solved = Holdem::solve(terms, TWO);
        format!("{:.4}", -100.0 * solved.total().to_f64() / 27_813_810_024_000.0)
    };
    let three = terms(Game::Uth, "UTH").with_raises(vec![3]).expect("good raises");
    assert_eq!(edge(three), "9.6655");
    // The Blind in the Pennsylvania code that pushes on a straight.
    let blind = croupier_rules::PayTable::from_toml(
        "id = \"B\"\ntitle = \"Blind\"\nsource = \"a test\"\nbet = \"blind\"\n[pays]\n\
         royal-flush = \"500:1\"\nstraight-flush = \"50:1\"\nfour-of-a-kind = \"10:1\"\n\
         full-house = \"3:1\"\nflush = \"3:2\"\n",
    );
    let blind = Terms::new(Game::Uth, blind.expect("a table")).expect("good terms");
    assert_eq!(edge(blind), "5.9128");
}

#[test]
fn three_card_poker_has_the_counted_edge_to_the_last_deal() {
    let solved = ThreeCard::solve(terms(Game::Utcp, "UTCP"));
    assert_eq!(THREE_CARD_DEALS, 407_170_400);
    assert_eq!(solved.total(), Fraction::new(-22_082_688, 1));
    let sheet = MainSheet::new(solved.terms(), solved.outcomes());
    assert_eq!(sheet.ev, Fraction::new(-22_082_688, THREE_CARD_DEALS));
    for (times, expected) in [
        (3, [59_220_472, 31_617_516, 32_952, 13_408_900, 0]),
        (1, [38_197_044, 63_271_332, 281_940, 102_146_232, 609_852]),
    ] {
        let count = |result, qualifies| deals(&sheet, Decision::Bet(times), result, qualifies);
        let found = [
            count(Outcome::Win, true),
            count(Outcome::Win, false),
            count(Outcome::Push, true) + count(Outcome::Push, false),
            count(Outcome::Lose, true),
            count(Outcome::Lose, false),
        ];
        assert_eq!(found, expected);
    }
}

#[test]
fn bonuses_are_exact_to_the_last_combination() {
    let catalog = Catalog::shipped();
    let solved = holdem();
    let holdem = MainSheet::new(solved.terms(), solved.outcomes());
    let solved = ThreeCard::solve(terms(Game::Utcp, "UTCP"));
    let three = MainSheet::new(solved.terms(), solved.outcomes());
    for (id, net, all) in [
        ("UTH-01", -1_206_516, 133_784_560),
        ("UTH-02", -2_547_324, 133_784_560),
        ("UTH-03", -4_679_700, 133_784_560),
        ("UTH-04", -8_268_988, 133_784_560),
        ("UTCP-01", -472, 22_100),
        ("UTCP-02", -1_192, 22_100),
        ("UTCP-03", -1_568, 22_100),
    ] {
        let table = catalog.paytable(id).expect("a table");
        let main = if id.starts_with("UTH") { &holdem } else { &three };
        let bonus = BonusSheet::new(table.game(), table, main).expect("a usual table");
        assert_eq!(bonus.ev, Fraction::new(net, all), "{id}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let terms = terms(Game::Uth, "UTH");
    let solve = |threads| {
        let solved = Holdem::solve(terms.clone(), NonZero::new(threads).expect("some"));
        (
            HoleKind::all().map(|kind| solved.before_flop(kind)).collect::<Vec<_>>(),
            solved.outcomes(),
        )
    };
    let alone = solve(1);
    assert_eq!(solve(2), alone);
    assert_eq!(solve(3), alone);
}
