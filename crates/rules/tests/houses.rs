//! The houses and pay tables that ship with Croupier, and the requirements for custom houses.

use croupier_cards::Category;
use croupier_rules::{
    Amount, AnteRefund, Banking, Catalog, Coverage, Deal, Game, House, PayTable, PayoffOrder,
};

/// Returns the payoff of each hand that a pay table names, strongest first.
fn pays(id: &str) -> Vec<(Category, String)> {
    let catalog = Catalog::shipped();
    let table = catalog.paytable(id).unwrap();
    table.lines(table.game()).map(|(hand, pays)| (hand, pays.to_string())).collect()
}

/// Returns the lines of a pay table: each hand with its payoff.
fn lines<const N: usize>(hands: [Category; N], pays: [&str; N]) -> Vec<(Category, String)> {
    hands.into_iter().zip(pays.map(str::to_owned)).collect()
}

const TRIPS: [Category; 7] = [
    Category::RoyalFlush,
    Category::StraightFlush,
    Category::FourOfAKind,
    Category::FullHouse,
    Category::Flush,
    Category::Straight,
    Category::ThreeOfAKind,
];

const PAIR_PLUS: [Category; 6] = [
    Category::MiniRoyal,
    Category::StraightFlush,
    Category::ThreeOfAKind,
    Category::Straight,
    Category::Flush,
    Category::Pair,
];

#[test]
fn the_nine_pay_tables_pay_what_the_sheets_print() {
    let [royal, straight_flush, four, full, flush, straight, _] = TRIPS;
    assert_eq!(
        pays("UTH"),
        lines(
            [royal, straight_flush, four, full, flush, straight],
            ["500:1", "50:1", "10:1", "3:1", "3:2", "1:1"]
        )
    );
    for (id, rates) in [
        ("UTH-01", ["50:1", "40:1", "30:1", "9:1", "7:1", "4:1", "3:1"]),
        ("UTH-02", ["50:1", "40:1", "30:1", "8:1", "6:1", "5:1", "3:1"]),
        ("UTH-03", ["50:1", "40:1", "30:1", "8:1", "7:1", "4:1", "3:1"]),
        ("UTH-04", ["50:1", "40:1", "20:1", "7:1", "6:1", "5:1", "3:1"]),
    ] {
        assert_eq!(pays(id), lines(TRIPS, rates), "{id}");
    }
    let [royal, straight_flush, three, straight, flush, _] = PAIR_PLUS;
    assert_eq!(
        pays("UTCP"),
        lines(
            [royal, straight_flush, three, straight, flush],
            ["100:1", "20:1", "10:1", "2:1", "1:1"]
        )
    );
    for (id, rates) in [
        ("UTCP-01", ["50:1", "40:1", "30:1", "6:1", "4:1", "1:1"]),
        ("UTCP-02", ["50:1", "40:1", "30:1", "5:1", "4:1", "1:1"]),
        ("UTCP-03", ["50:1", "40:1", "30:1", "6:1", "3:1", "1:1"]),
    ] {
        assert_eq!(pays(id), lines(PAIR_PLUS, rates), "{id}");
    }
    assert_eq!(Catalog::shipped().paytables().len(), 9);
    assert!(
        Catalog::shipped().paytables().iter().all(|table| table.oddities(table.game()).is_empty())
    );
}

#[test]
fn the_four_houses_match_their_documents() {
    let catalog = Catalog::shipped();
    let washington = catalog.house("uth-washington").unwrap();
    assert_eq!(washington.payoff_order(), PayoffOrder::HighestSeatFirst);
    assert_eq!(washington.ante_refund(), AnteRefund::FirstPass);
    assert_eq!(washington.limits().single_wager_max, Some(Amount::cents(40_000)));
    assert_eq!(washington.games_per_player(), 4);
    assert_eq!((washington.seats(), washington.decks()), (7, 1));

    for id in ["uth-washington", "uth-standard", "utcp-standard"] {
        let house = catalog.house(id).unwrap();
        assert_eq!((house.banking(), house.decks()), (Banking::House, 1), "{id}");
    }

    let california = catalog.house("uth-california").unwrap();
    assert_eq!(california.payoff_order(), PayoffOrder::LeftOfBanker);
    assert_eq!(california.ante_refund(), AnteRefund::BySeat);
    assert_eq!((california.seats(), california.decks()), (8, 2));
    let banking = Banking::PlayerDealer { coverage: Coverage::Action, max_consecutive: 2 };
    assert_eq!(california.banking(), banking);

    let three_cards = catalog.house("utcp-standard").unwrap();
    assert_eq!((three_cards.game(), three_cards.deal()), (Game::Utcp, Deal::Threes));
    assert_eq!(three_cards.raises(), [1, 2, 3]);

    for house in catalog.houses() {
        let limits = house.limits();
        assert_eq!(limits.unit, Amount::cents(500), "{}", house.id());
        assert_eq!((limits.ante_min, limits.ante_max), (Amount::cents(500), Amount::cents(10_000)));
        assert_eq!((limits.bonus_min, limits.bonus_max), (limits.ante_min, limits.ante_max));
        assert_eq!(limits.round_payout_max, None);
        assert!(house.qualifying() && house.seats_per_player() == 1);
    }
    for id in ["uth-washington", "uth-standard", "uth-california"] {
        let house = catalog.house(id).unwrap();
        assert_eq!((house.deal(), house.raises()), (Deal::Pairs, &[3, 4][..]));
    }
    assert_eq!(catalog.houses().len(), 4);
}

#[test]
fn a_house_reads_back_equal_after_it_is_written() {
    let catalog = Catalog::shipped();
    for house in catalog.houses() {
        let json = serde_json::to_value(house).unwrap();
        assert_eq!(House::from_json(&json, catalog.paytables()), Ok(house.clone()));
        let toml = toml::to_string(house).unwrap();
        assert_eq!(catalog.read_house(&toml), Ok(house.clone()));
    }
    for table in catalog.paytables() {
        assert_eq!(PayTable::from_toml(&toml::to_string(table).unwrap()), Ok(table.clone()));
    }
}

#[test]
fn the_json_of_a_house_has_its_fields_in_order() {
    let catalog = Catalog::shipped();
    let json = |id: &str| serde_json::to_string(&**catalog.house(id).unwrap()).unwrap();
    assert_eq!(
        json("uth-washington"),
        r#"{"id":"uth-washington","title":"Ultimate Texas Hold'em, Washington","#.to_owned()
            + r#""source":"Washington rules and dealing procedures","game":"uth","deal":"pairs","#
            + r#""payoff_order":"highest-seat-first","ante_refund":"first-pass","seats":7,"#
            + r#""decks":1,"raises":[3,4],"qualifying":true,"games_per_player":4,"#
            + r#""seats_per_player":1,"blind_paytable":"UTH","#
            + r#""bonus_paytables":["UTH-01","UTH-02","UTH-03","UTH-04"],"#
            + r#""limits":{"unit":500,"ante_min":500,"ante_max":10000,"bonus_min":500,"#
            + r#""bonus_max":10000,"single_wager_max":40000},"banking":{"by":"house"}}"#
    );
    let banking = r#""banking":{"by":"player-dealer","coverage":"action","max_consecutive":2}}"#;
    assert!(json("uth-california").ends_with(banking));
}

#[test]
fn an_unknown_id_gets_a_list_of_the_known_ones() {
    assert_eq!(
        Catalog::shipped().house("uth-nevada").unwrap_err().to_string(),
        "there is no house \"uth-nevada\": write one of uth-standard, uth-washington, \
         uth-california, utcp-standard"
    );
}

/// Returns the faults of a shipped house in which some text was replaced.
fn faults(id: &str, changes: &[(&str, &str)]) -> Vec<String> {
    let catalog = Catalog::shipped();
    let mut text = toml::to_string(&**catalog.house(id).unwrap()).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from:?} is not in\n{text}");
        text = text.replacen(from, to, 1);
    }
    let faults = catalog.read_house(&text).expect_err("a bad house");
    faults.all().iter().map(|fault| format!("{}: {}", fault.field, fault.message)).collect()
}

#[test]
fn a_unit_that_cannot_pay_a_ratio_is_refused() {
    assert_eq!(
        faults("uth-standard", &[("unit = 500", "unit = 5")]),
        ["limits.unit: $0.05 cannot be paid at 3 to 2, which UTH pays for a flush: it must be a \
          multiple of 2 cents"]
    );
}

#[test]
fn limits_that_leave_no_wager_or_contradict_each_other_are_refused() {
    assert_eq!(
        faults("uth-standard", &[("ante_max = 10000", "ante_max = 499")]),
        ["limits.ante_max: no multiple of $5 is between $5 and $4.99"]
    );
    assert_eq!(
        faults("uth-washington", &[("single_wager_max = 40000", "single_wager_max = 39999")]),
        ["limits.single_wager_max: a 4x Play bet on an Ante of $100 would exceed it"]
    );
    assert_eq!(
        faults("uth-washington", &[("bonus_max = 10000", "bonus_max = 40500")]),
        ["limits.single_wager_max: a bonus wager of $405 would exceed it"]
    );
    for (limit, was) in
        [("ante_min", 500), ("ante_max", 10_000), ("bonus_min", 500), ("bonus_max", 10_000)]
    {
        let (from, to) = (format!("{limit} = {was}"), format!("{limit} = {}", was + 1));
        let amount = Amount::cents(was + 1);
        assert_eq!(
            faults("uth-standard", &[(&from, &to)]),
            [format!("limits.{limit}: {amount} is not a multiple of the unit, $5")]
        );
    }
    assert_eq!(
        faults("uth-standard", &[("ante_min = 500", "ante_min = 0")]),
        ["limits.ante_min: 0 is too small: it must be at least 1"]
    );
    assert_eq!(
        faults("uth-standard", &[("ante_max = 10000", "ante_max = 9000000000000000")]),
        ["limits.ante_max: a round could pay more than an amount can hold"]
    );
}

#[test]
fn more_seats_or_decks_than_a_table_has_are_refused() {
    for (id, from, to, message) in [
        (
            "uth-standard",
            "seats = 7",
            "seats = 8",
            "seats: a table banked by house has 1 to 7 seats",
        ),
        (
            "uth-california",
            "seats = 8",
            "seats = 9",
            "seats: a table banked by player-dealer has 2 to 8 seats",
        ),
        (
            "uth-california",
            "seats_per_player = 1",
            "seats_per_player = 9",
            "seats_per_player: the table doesn't have that many seats",
        ),
        (
            "uth-standard",
            "decks = 1",
            "decks = 3",
            "decks: a table has one deck, or two that alternate",
        ),
    ] {
        assert_eq!(faults(id, &[(from, to)]), [message]);
    }
}

#[test]
fn settings_of_the_other_game_or_bank_are_refused() {
    for (id, from, to, message) in [
        (
            "utcp-standard",
            "\"threes\"",
            "\"pairs\"",
            "deal: Ultimate Three Card Poker is dealt as threes",
        ),
        (
            "uth-standard",
            "\"UTH-02\"",
            "\"UTCP-02\"",
            "bonus_paytables: UTCP-02 is a pay table for pair-plus, not for trips",
        ),
        ("uth-standard", "\"UTH-02\"", "\"UTH-01\"", "bonus_paytables: UTH-01 appears twice"),
        (
            "uth-standard",
            "blind_paytable = \"UTH\"",
            "blind_paytable = \"UTX\"",
            "blind_paytable: \"UTX\" is unknown: write one of UTH, UTCP",
        ),
        (
            "uth-standard",
            "blind_paytable = \"UTH\"",
            "blind_paytable = \"UTCP\"",
            "blind_paytable: UTCP pays for hands that Ultimate Texas Hold'em doesn't have",
        ),
        (
            "utcp-standard",
            "blind_paytable = \"UTCP\"",
            "blind_paytable = \"UTH\"",
            "blind_paytable: UTH pays for hands that Ultimate Three Card Poker doesn't have",
        ),
        (
            "utcp-standard",
            "raises = [1, 2, 3]",
            "raises = [2, 3]",
            "raises: with three cards the first must be 1",
        ),
        (
            "uth-standard",
            "\"highest-seat-first\"",
            "\"left-of-banker\"",
            "payoff_order: left-of-banker is only for a player/dealer: the house banks here",
        ),
        (
            "uth-standard",
            "by = \"house\"",
            "by = \"house\"\ncoverage = \"action\"",
            "banking.coverage: there is no such field",
        ),
        (
            "uth-california",
            "bonus_max = 10000",
            "bonus_max = 10000\nround_payout_max = 100000",
            "limits.round_payout_max: the posted wager already limits what a player/dealer pays",
        ),
    ] {
        assert_eq!(faults(id, &[(from, to)]), [message]);
    }
}

#[test]
fn all_faults_of_a_house_are_reported_together_with_their_lines() {
    let catalog = Catalog::shipped();
    let text = include_str!("../data/houses/uth-california.toml")
        .replace("\"pairs\"", "\"pears\"")
        .replace("[3, 4]", "[4, 3]")
        .replace("max_consecutive = 2", "max_consecutive = \"two\"");
    assert_eq!(
        catalog.read_house(&text).unwrap_err().to_string(),
        "line 5: deal: \"pears\" is unknown: write one of pairs, singles, board-first, threes\n\
         line 10: raises: write whole numbers above zero in ascending order, as in [3, 4]\n\
         line 27: banking.max_consecutive: it is a string and should be a whole number"
    );
}

#[test]
fn a_fault_in_one_field_does_not_hide_faults_in_others() {
    let catalog = Catalog::shipped();
    let text = include_str!("../data/houses/uth-california.toml")
        .replace("\"pairs\"", "\"pears\"")
        .replace("seats = 8", "seats = 9")
        .replace("unit = 500", "unit = 501");
    assert_eq!(
        catalog.read_house(&text).unwrap_err().to_string(),
        "line 5: deal: \"pears\" is unknown: write one of pairs, singles, board-first, threes\n\
         line 8: seats: a table banked by player-dealer has 2 to 8 seats\n\
         line 18: limits.unit: $5.01 cannot be paid at 3 to 2, which UTH pays for a flush: it must \
         be a multiple of 2 cents"
    );
    // Not even a fault in a field that others depend on.
    let faults = faults(
        "uth-california",
        &[
            ("game = \"uth\"", "game = \"poker\""),
            ("decks = 2", "decks = 3"),
            ("ante_min = 500", "ante_min = 501"),
            ("by = \"player-dealer\"", "by = \"nobody\""),
        ],
    );
    assert_eq!(
        faults,
        [
            "game: \"poker\" is unknown: write one of uth, utcp",
            "decks: a table has one deck, or two that alternate",
            "limits.ante_min: $5.01 is not a multiple of the unit, $5",
            "banking.by: \"nobody\" is unknown: write one of house, player-dealer",
        ]
    );
}

#[test]
fn a_check_skips_only_the_fields_that_cannot_be_read() {
    // There are too many seats, but their number can still be compared with other fields.
    assert_eq!(
        faults(
            "uth-standard",
            &[("seats = 7", "seats = 8"), ("seats_per_player = 1", "seats_per_player = 9")]
        ),
        [
            "seats: a table banked by house has 1 to 7 seats",
            "seats_per_player: the table doesn't have that many seats",
        ]
    );
    let largest = ("ante_max = 10000", "ante_max = 9000000000000000");
    assert_eq!(
        faults("uth-standard", &[largest, ("\"UTH-02\"", "\"UTH-01\"")]),
        [
            "bonus_paytables: UTH-01 appears twice",
            "limits.ante_max: a round could pay more than an amount can hold",
        ]
    );
    // The maximum payoff of a round depends on the bonus.
    assert_eq!(
        faults("uth-standard", &[largest, ("\"UTH-02\"", "\"UTX\"")]),
        ["bonus_paytables: \"UTX\" is unknown: write one of UTH-01, UTH-02, UTH-03, UTH-04"]
    );
}

#[test]
fn the_largest_numbers_are_refused_without_overflow() {
    let changes = [
        ("seats = 7", "seats = 4294967295"),
        ("raises = [3, 4]", "raises = [4294967295]"),
        ("ante_max = 10000", "ante_max = 9223372036854775807"),
    ];
    assert_eq!(
        faults("uth-standard", &changes),
        [
            "seats: a table banked by house has 1 to 7 seats",
            "limits.ante_max: $92,233,720,368,547,758.07 is not a multiple of the unit, $5",
            "limits.ante_max: a round could pay more than an amount can hold",
        ]
    );
}

#[test]
fn faults_with_a_line_come_before_faults_without_one() {
    let catalog = Catalog::shipped();
    let text = include_str!("../data/houses/utcp-standard.toml");
    let without =
        text.replace("ante_refund = \"first-pass\"\n", "").replace("seats = 7", "seats = 0");
    assert_eq!(
        catalog.read_house(&without).unwrap_err().to_string(),
        "line 7: seats: 0 is too small: it must be at least 1\n\
         ante_refund: it is missing: write one of first-pass, by-seat"
    );
}

#[test]
fn a_missing_table_or_another_value_in_its_place_gets_one_message() {
    let catalog = Catalog::shipped();
    let text = include_str!("../data/houses/utcp-standard.toml");
    let (before, limits) = text.split_once("[limits]").expect("limits");
    let (_, banking) = limits.split_once("[banking]").expect("banking");
    let number = format!("limits = 5\n{before}[banking]{banking}");
    assert_eq!(
        catalog.read_house(&number).unwrap_err().to_string(),
        "line 1: limits: write a table"
    );
    let missing = format!("{before}[banking]{banking}");
    assert_eq!(
        catalog.read_house(&missing).unwrap_err().to_string(),
        "limits: it is missing: write a table"
    );
    let quoted = format!("\"limits.unit\" = 500\n{text}");
    assert_eq!(
        catalog.read_house(&quoted).unwrap_err().to_string(),
        "line 1: \"limits.unit\": there is no such field"
    );
}

#[test]
fn a_number_that_is_too_large_is_reported_as_such() {
    let catalog = Catalog::shipped();
    let house = catalog.house("uth-standard").unwrap();
    let mut json = serde_json::to_value(&**house).unwrap();
    json["limits"]["unit"] = serde_json::json!(9_223_372_036_854_775_808_u64);
    assert_eq!(
        House::from_json(&json, catalog.paytables()).unwrap_err().to_string(),
        "limits.unit: it is a number that is too large and should be a whole number"
    );
}

#[test]
fn ids_of_pay_tables_and_houses_are_unique() {
    let mut catalog = Catalog::shipped();
    let table = catalog.paytable("UTH-01").unwrap().clone();
    assert_eq!(
        catalog.add_paytable(table).unwrap_err().to_string(),
        "a pay table \"UTH-01\" already exists: choose another id"
    );
    let house = House::clone(catalog.house("uth-standard").unwrap());
    assert_eq!(
        catalog.add_house(house).unwrap_err().to_string(),
        "a house \"uth-standard\" already exists: choose another id"
    );
    assert_eq!((catalog.paytables().len(), catalog.houses().len()), (9, 4));
}

#[test]
fn a_custom_house_cannot_pass_for_a_shipped_one() {
    let own = |id: &str, title: &str, source: &str| {
        let mut catalog = Catalog::shipped();
        let mut house = serde_json::to_value(&**catalog.house("uth-washington").unwrap()).unwrap();
        (house["id"], house["title"], house["source"]) = (id.into(), title.into(), source.into());
        let house = House::from_json(&house, catalog.paytables()).expect("a good house");
        catalog.add_house(house).map_err(|error| error.to_string())
    };
    assert_eq!(own("kitchen", "Kitchen rules", "my kitchen"), Ok(()));
    assert_eq!(
        own("kitchen", "Ultimate Texas Hold'em, Washington", "my kitchen").unwrap_err(),
        "\"Ultimate Texas Hold'em, Washington\" is the title of uth-washington: \
         give your house another title"
    );
    // Names that look the same to a reader are the same: case, spaces and punctuation are ignored.
    assert_eq!(
        own("kitchen", "ULTIMATE TEXAS HOLD\u{2019}EM - Washington ", "my kitchen").unwrap_err(),
        "\"ULTIMATE TEXAS HOLD\u{2019}EM - Washington \" is the title of uth-washington: \
         give your house another title"
    );
    assert_eq!(
        own("UTH_Washington", "Kitchen rules", "my kitchen").unwrap_err(),
        "\"UTH_Washington\" is the id of uth-washington: give your house another id"
    );
    assert_eq!(
        own("kitchen", "Kitchen rules", "California standards of play").unwrap_err(),
        "\"California standards of play\" is the source of uth-california: \
         give your house another source"
    );
}

#[test]
fn a_file_with_the_names_of_a_shipped_house_gets_a_message_for_each() {
    let catalog = Catalog::shipped();
    let text = include_str!("../data/houses/uth-washington.toml");
    // The shipped house itself may keep its names.
    assert_eq!(
        catalog.read_own_house(text).as_ref(),
        Ok(&**catalog.house("uth-washington").unwrap())
    );
    let changed = text.replace("seats = 7", "seats = 5");
    assert_eq!(
        catalog.read_own_house(&changed).unwrap_err().to_string(),
        "line 1: id: \"uth-washington\" is the id of uth-washington: give your house another id\n\
         line 2: title: \"Ultimate Texas Hold'em, Washington\" is the title of uth-washington: \
         give your house another title\n\
         line 3: source: \"Washington rules and dealing procedures\" is the source of \
         uth-washington: give your house another source"
    );
    let own = changed.replace("Washington", "Kitchen").replace("uth-washington", "uth-kitchen");
    assert_eq!(catalog.read_own_house(&own).unwrap().seats(), 5);
}

#[test]
fn a_payout_maximum_below_twice_the_largest_wager_is_refused() {
    let catalog = Catalog::shipped();
    let house = |id: &str, changes: &[(&str, i64)]| {
        let mut house = serde_json::to_value(&**catalog.house(id).unwrap()).unwrap();
        for &(limit, cents) in changes {
            house["limits"][limit] = cents.into();
        }
        let read = House::from_json(&house, catalog.paytables());
        read.map(|house| house.limits().round_payout_max).map_err(|faults| faults.to_string())
    };
    // The largest Play wager is four times $100, with three cards three times.
    for (id, least) in
        [("uth-washington", 80_000), ("uth-standard", 80_000), ("utcp-standard", 60_000)]
    {
        let enough = Some(Amount::cents(least));
        assert_eq!(house(id, &[("round_payout_max", least)]), Ok(enough), "{id}");
        let refused = house(id, &[("round_payout_max", least - 1)]).unwrap_err();
        assert!(refused.contains("less than twice the largest wager"), "{id}: {refused}");
    }
    assert_eq!(
        house("uth-standard", &[("round_payout_max", 100)]).unwrap_err(),
        "limits.round_payout_max: $1 is less than twice the largest wager, $400: \
         raise it, or leave it out"
    );
    // A bonus may be the largest wager of all.
    let bonus = [("bonus_max", 50_000), ("round_payout_max", 99_999)];
    assert!(house("uth-standard", &bonus).unwrap_err().contains("$500"));
}

#[test]
fn a_three_card_house_may_omit_its_raises() {
    let catalog = Catalog::shipped();
    let text = include_str!("../data/houses/utcp-standard.toml");
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with("raises")).collect();
    let without = without.join("\n");
    assert_eq!(catalog.read_house(&without).unwrap().raises(), [1, 2, 3]);
}

#[test]
fn a_player_dealer_covers_action_unless_the_house_says_otherwise() {
    let catalog = Catalog::shipped();
    let text = include_str!("../data/houses/uth-california.toml");
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with("coverage")).collect();
    let house = catalog.read_house(&without.join("\n")).expect("a good house");
    assert_eq!(&house, &**catalog.house("uth-california").unwrap());
}

#[test]
fn a_blind_table_names_hands_of_one_game() {
    let text = "id = \"X\"\ntitle = \"X\"\nsource = \"me\"\nbet = \"blind\"\n\n[pays]\n\
                mini-royal = \"9:1\"\nfull-house = \"2:1\"\n";
    let faults = PayTable::from_toml(text).unwrap_err();
    assert_eq!(faults.to_string(), "line 6: pays: no game has all of these hands");
}

#[test]
fn the_felt_of_every_house_says_which_hands_qualify() {
    let catalog = Catalog::shipped();
    let inscription = |text: &str| catalog.read_house(text).expect("a good house").inscription();
    for (text, says, always) in [
        (
            include_str!("../data/houses/uth-standard.toml"),
            "The dealer needs a pair or better to qualify",
            "The dealer always qualifies",
        ),
        (
            include_str!("../data/houses/uth-washington.toml"),
            "The dealer needs a pair or better to qualify",
            "The dealer always qualifies",
        ),
        (
            include_str!("../data/houses/uth-california.toml"),
            "The player/dealer qualifies with a pair or better",
            "The player/dealer always qualifies",
        ),
        (
            include_str!("../data/houses/utcp-standard.toml"),
            "The dealer needs queen-high or better to qualify",
            "The dealer always qualifies",
        ),
    ] {
        assert_eq!(inscription(text), says);
        let without = text.replace("qualifying = true", "qualifying = false");
        assert_ne!(without, text);
        assert_eq!(inscription(&without), always);
    }
}

/// Returns the rows of a pay table as printed.
fn rows(id: &str) -> Vec<String> {
    let catalog = Catalog::shipped();
    let table = catalog.paytable(id).unwrap();
    let rows = table.rows(table.game()).into_iter();
    rows.map(|row| format!("{}: {}", row.hand, row.pays)).collect()
}

#[test]
fn the_nine_pay_tables_are_printed_down_to_the_hands_that_pay_nothing() {
    assert_eq!(rows("UTH").len(), 7);
    assert_eq!(rows("UTH")[5..], ["straight: 1 to 1", "three of a kind or lower: push"]);
    assert_eq!(rows("UTCP").len(), 6);
    assert_eq!(rows("UTCP")[4..], ["flush: 1 to 1", "pair or lower: push"]);
    for id in ["UTH-01", "UTH-02", "UTH-03", "UTH-04"] {
        assert_eq!(rows(id).len(), 8);
        assert_eq!(rows(id)[6..], ["three of a kind: 3 to 1", "other: lose"]);
    }
    for id in ["UTCP-01", "UTCP-02", "UTCP-03"] {
        assert_eq!(rows(id).len(), 7);
        assert_eq!(rows(id)[5..], ["pair: 1 to 1", "other: lose"]);
    }
}

#[test]
fn two_decks_alternate_and_a_single_deck_stays() {
    let catalog = Catalog::shipped();
    let decks = |id: &str| -> Vec<u32> {
        let house = catalog.house(id).unwrap();
        (0..5).map(|dealt| house.deck_after(dealt)).collect()
    };
    assert_eq!(decks("uth-california"), [1, 2, 1, 2, 1]);
    for id in ["uth-washington", "uth-standard", "utcp-standard"] {
        assert_eq!(decks(id), [1; 5], "{id}");
    }
}

#[test]
fn two_decks_have_backs_of_two_colors() {
    let catalog = Catalog::shipped();
    for house in catalog.houses() {
        let colours = [0, 1, 2, 3].map(|dealt| house.deck_color_after(dealt).id());
        let expected = match house.decks() {
            2 => ["red", "blue", "red", "blue"],
            _ => ["red"; 4],
        };
        assert_eq!(colours, expected, "{}", house.id());
    }
}
