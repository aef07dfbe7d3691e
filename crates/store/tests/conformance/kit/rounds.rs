//! Finished rounds and their players.

use croupier_rules::Amount;
use croupier_store::{Append, RoundPlace, RoundRow, Store, StoreError, Takings};
use croupier_table::Time;

use super::{HOUSE, Pen, everything, moment, round};

/// Returns a place that comes after everything.
fn the_end() -> RoundPlace {
    let at = Time::from_millis(i64::MAX);
    RoundPlace { at, table: String::new(), round: u64::MAX, seat: u32::MAX }
}

async fn places(store: &impl Store, player: &str) -> Vec<(String, u64, u32)> {
    let rounds = store.rounds_of(player, &the_end(), usize::MAX).await.unwrap();
    rounds.into_iter().map(|row| (row.place.table, row.place.round, row.place.seat)).collect()
}

pub(crate) async fn a_finished_round_is_stored(store: impl Store) {
    let mut pen = Pen::new("seven");
    let first = round("seven", 1, moment(5), &[(1, "ann"), (3, "bob"), (4, "ann")]);
    let mut second = RoundRow { void: true, ..round("seven", 2, moment(6), &[(2, "bob")]) };
    second.seats[0].net = Amount::cents(i64::MIN);
    second.seats[0].staked = Amount::MAX;
    let mut mixed = first.clone();
    mixed.seats.rotate_left(1);
    let rounds = vec![mixed, second.clone()];
    store.append(Append { rounds, ..pen.write(2) }).await.unwrap();

    let by_seat = store.round("seven", 1).await;
    assert_eq!(by_seat, Ok(Some(first.clone())), "in the order of the seats");
    assert_eq!(store.round("seven", 2).await, Ok(Some(second)));
    for (table, number) in [("seven", 0), ("seven", 3), ("eight", 1), ("seven", u64::MAX)] {
        assert_eq!(store.round(table, number).await, Ok(None));
    }
    let history = store.rounds_of("ann", &the_end(), 10).await.unwrap();
    assert_eq!(history.len(), 2, "two seats have two places");
    assert_eq!((&history[0].seat, &history[1].seat), (&first.seats[2], &first.seats[0]));
    assert_eq!(history[0].place.at, moment(5));
    assert_eq!((&*history[0].house, history[0].void), (&*first.house, false));
    let history = store.rounds_of("bob", &the_end(), 10).await.unwrap();
    assert_eq!([history[0].void, history[1].void], [true, false]);
    assert_eq!(store.rounds_of("cat", &the_end(), 10).await, Ok(vec![]));
}

pub(crate) async fn a_round_ends_once(store: impl Store) {
    let mut pen = Pen::new("seven");
    let rounds = vec![round("seven", 1, moment(5), &[(1, "ann")])];
    store.append(Append { rounds, ..pen.write(1) }).await.unwrap();
    let before = everything(&store).await;
    let rounds =
        vec![round("seven", 2, moment(6), &[(1, "ann")]), round("seven", 1, moment(6), &[])];
    let rounds = rounds.into_iter().map(|round| RoundRow { version: 2, ..round }).collect();
    let again = store.append(Append { rounds, ..pen.clone().write(1) }).await;
    assert!(matches!(again, Err(StoreError::Unusable(_))), "{again:?}");
    assert_eq!(everything(&store).await, before);
    assert_eq!(store.round("seven", 2).await, Ok(None));
    assert_eq!(places(&store, "ann").await, [("seven".to_owned(), 1, 1)]);
}

pub(crate) async fn a_history_is_read_in_pages(store: impl Store) {
    let mut pens = [Pen::new("seven"), Pen::new("eight")];
    for number in 1..=20 {
        for (place, pen) in pens.iter_mut().enumerate() {
            // Ann plays every third round with two seats.
            let seats: &[_] = if number % 3 == 0 {
                &[(1, "bob"), (2, "ann"), (5, "ann")]
            } else {
                &[(1, "ann"), (2, "bob")]
            };
            let at = moment(10 * number + place as u64);
            let append = pen.write(1);
            let ended = round(&append.table, number, at, seats);
            let rounds = vec![RoundRow { version: append.expected + 1, ..ended }];
            store.append(Append { rounds, ..append }).await.unwrap();
        }
    }
    let all = store.rounds_of("ann", &the_end(), usize::MAX).await.unwrap();
    assert_eq!(all.len(), 2 * (20 + 6));
    assert!(all.is_sorted_by(|one, next| one.place > next.place), "the latest come first");
    for most in [1, 3, 7] {
        let mut paged = Vec::new();
        let mut before = the_end();
        loop {
            let page = store.rounds_of("ann", &before, most).await.unwrap();
            let Some(last) = page.last() else { break };
            assert!(page.len() <= most);
            before = last.place.clone();
            paged.extend(page);
        }
        assert_eq!(paged, all, "in pages of {most}");
    }
}

pub(crate) async fn rounds_at_the_same_time_have_an_order(store: impl Store) {
    // Ordered by the table's bytes, then by round, then by seat.
    for name in ["ä", "b", "B"] {
        let seats = [(1, "ann"), (2, "ann")];
        let rounds = [9, 10].map(|number| round(name, number, moment(5), &seats)).to_vec();
        store.append(Append { rounds, ..Pen::new(name).write(1) }).await.unwrap();
    }
    let mut wanted = Vec::new();
    for name in ["ä", "b", "B"] {
        for number in [10, 9] {
            wanted.extend([2, 1].map(|seat| (name.to_owned(), number, seat)));
        }
    }
    assert_eq!(places(&store, "ann").await, wanted);
}

pub(crate) async fn the_rounds_of_a_table_are_read_in_pages(store: impl Store) {
    let mut wanted = Vec::new();
    for table in ["seven", "eight"] {
        let seats: &[(u32, &str)] = &[(1, "ann"), (3, "bob"), (4, "ann")];
        // A round without seats counts, too.
        let mut rounds: Vec<RoundRow> = (1..=7)
            .map(|number| {
                let seats = &seats[..usize::try_from(number % 4).unwrap()];
                round(table, number, moment(10 - number), seats)
            })
            .collect();
        rounds.push(round(table, i64::MAX as u64, moment(3), seats));
        store.append(Append { rounds: rounds.clone(), ..Pen::new(table).write(1) }).await.unwrap();
        rounds.reverse();
        wanted = rounds;
    }
    let all = store.rounds_at("eight", u64::MAX, usize::MAX).await;
    assert_eq!(all, Ok(wanted.clone()), "the latest by number first");
    for most in [1, 3, 8] {
        let (mut paged, mut before) = (Vec::new(), u64::MAX);
        loop {
            let page = store.rounds_at("eight", before, most).await.unwrap();
            let Some(last) = page.last() else { break };
            assert!(page.len() <= most);
            before = last.round;
            paged.extend(page);
        }
        assert_eq!(paged, wanted, "in pages of {most}");
    }
    assert_eq!(store.rounds_at("eight", 3, 9).await, Ok(wanted[6..].to_vec()));
    for (table, before, most) in [("eight", 0, 9), ("eight", 1, 9), ("eight", 9, 0), ("six", 9, 9)]
    {
        assert_eq!(store.rounds_at(table, before, most).await, Ok(vec![]));
    }
}

fn takings(table: &str, counts: (u64, u64, u64), cents: [i64; 4]) -> Takings {
    let (table, house) = (table.to_owned(), HOUSE.to_owned());
    let (rounds, void, hands) = counts;
    let [ante, bonus, staked, net] = cents.map(Amount::cents);
    let exceeds = false;
    Takings { table, house, rounds, void, hands, ante, bonus, staked, net, exceeds }
}

pub(crate) async fn takings_are_by_table_and_period(store: impl Store) {
    assert_eq!(store.takings(moment(0), moment(99)).await, Ok(vec![]));
    let full: &[(u32, &str)] = &[(1, "ann"), (2, "bob"), (3, "cat")];
    let seven = vec![
        round("seven", 1, moment(10), full),
        round("seven", 2, moment(11), &full[1..]),
        RoundRow { void: true, ..round("seven", 3, moment(12), full) },
        round("seven", 4, moment(20), full),
    ];
    store.append(Append { rounds: seven, ..Pen::new("seven").write(1) }).await.unwrap();
    // Only a banker, no seats at all, and only a void round.
    let eight = vec![round("eight", 1, moment(10), &full[..1])];
    store.append(Append { rounds: eight, ..Pen::new("eight").write(1) }).await.unwrap();
    let empty = vec![round("Empty", 1, moment(19), &[])];
    store.append(Append { rounds: empty, ..Pen::new("Empty").write(1) }).await.unwrap();
    let void = vec![RoundRow { void: true, ..round("ä", 1, moment(19), full) }];
    store.append(Append { rounds: void, ..Pen::new("ä").write(1) }).await.unwrap();

    let nothing = [0; 4];
    let wanted = vec![
        takings("Empty", (1, 0, 0), nothing),
        takings("eight", (1, 0, 0), nothing),
        takings("seven", (2, 1, 4), [800, 100, 4_000, -2_500]),
        takings("ä", (0, 1, 0), nothing),
    ];
    assert_eq!(store.takings(moment(10), moment(20)).await, Ok(wanted));
    let last = vec![takings("seven", (1, 0, 2), [400, 50, 2_000, -1_250])];
    assert_eq!(store.takings(moment(20), moment(21)).await, Ok(last));
    for (from, to) in [(0, 10), (21, 99), (13, 19), (11, 11), (20, 10)] {
        assert_eq!(store.takings(moment(from), moment(to)).await, Ok(vec![]), "{from} to {to}");
    }
}

pub(crate) async fn takings_out_of_range_are_marked(store: impl Store) {
    let mut over = round("seven", 1, moment(10), &[(2, "ann"), (3, "bob"), (4, "cat")]);
    for seat in &mut over.seats {
        (seat.ante, seat.bonus) = (Amount::cents(i64::MAX), Amount::cents(i64::MAX));
        (seat.staked, seat.net) = (Amount::cents(i64::MAX), Amount::cents(i64::MIN));
    }
    over.seats[2].bonus = Amount::ZERO;
    store.append(Append { rounds: vec![over], ..Pen::new("seven").write(1) }).await.unwrap();
    let wanted = takings("seven", (1, 0, 3), [i64::MAX, i64::MAX, i64::MAX, i64::MIN]);
    let wanted = Takings { exceeds: true, ..wanted };
    assert_eq!(store.takings(moment(0), moment(99)).await, Ok(vec![wanted]));
}
