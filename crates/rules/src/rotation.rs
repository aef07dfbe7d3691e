//! The rotation of the bank.

use crate::seat::Seat;

/// A player who banked a round that was dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banked<'a> {
    /// Their seat.
    pub seat: Seat,
    /// Their name.
    pub player: &'a str,
}

/// Returns the seats to offer the bank to for the next round, in order, until one takes it. If no
/// seat takes it, there is no round.
///
/// The bank goes clockwise, and each player is asked once, at the first of their seats that it
/// reaches. The player who banked last may keep it until they have had it for `max_consecutive`
/// dealt rounds in a row; then it passes to their left, and they are skipped until another player
/// has banked a dealt round. Rounds are counted by player, so changing seats does not help. A round
/// that was not dealt is not in the history, so it neither counts nor interrupts.
///
/// ```
/// use croupier_rules::{Banked, Seat, offers};
///
/// let seat = |number| Seat::new(number).expect("a seat");
/// let seated = [(seat(2), "ann"), (seat(5), "bea"), (seat(7), "cy")];
/// let banked = Banked { seat: seat(5), player: "bea" };
/// assert_eq!(offers(&seated, &[banked], 2), [seat(5), seat(7), seat(2)]);
/// assert_eq!(offers(&seated, &[banked, banked], 2), [seat(7), seat(2)]);
/// ```
pub fn offers(seated: &[(Seat, &str)], history: &[Banked<'_>], max_consecutive: u32) -> Vec<Seat> {
    let Some(last) = history.last() else {
        return clockwise(seated, None).into_iter().map(|(seat, _)| seat).collect();
    };
    let in_a_row = history.iter().rev().take_while(|banked| banked.player == last.player).count();
    let may_keep = u32::try_from(in_a_row).is_ok_and(|rounds| rounds < max_consecutive);

    // The bank stays at its holder's seat, or moves with them to their new seat; if they have left,
    // it passes on from their last seat.
    let sits = |seat: Seat| seated.contains(&(seat, last.player));
    let moved = || clockwise(seated, Some(last.seat)).into_iter().find(|who| who.1 == last.player);
    let holder = if sits(last.seat) { Some(last.seat) } else { moved().map(|(seat, _)| seat) };
    let round = clockwise(seated, Some(holder.unwrap_or(last.seat)));
    let others = round.iter().filter(|(_, player)| *player != last.player).map(|&(seat, _)| seat);
    holder.filter(|_| may_keep).into_iter().chain(others).collect()
}

/// Returns every player once, clockwise from the left of a seat, or from the casino dealer's left.
fn clockwise<'a>(seated: &[(Seat, &'a str)], after: Option<Seat>) -> Vec<(Seat, &'a str)> {
    let from = after.map_or(0, Seat::number);
    let mut seats = seated.to_vec();
    seats.sort_by_key(|&(seat, _)| (seat.number() + 7 - from) % 8);
    let mut players: Vec<(Seat, &str)> = Vec::new();
    for (seat, player) in seats {
        if players.iter().all(|(_, known)| *known != player) {
            players.push((seat, player));
        }
    }
    players
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(number: u32) -> Seat {
        Seat::new(number).expect("a seat")
    }

    fn seated() -> Vec<(Seat, &'static str)> {
        vec![(seat(7), "cy"), (seat(2), "ann"), (seat(5), "bea")]
    }

    fn banked(number: u32, player: &str) -> Banked<'_> {
        Banked { seat: seat(number), player }
    }

    fn offered(history: &[Banked<'_>], seated: &[(Seat, &str)]) -> Vec<u32> {
        offers(seated, history, 2).into_iter().map(Seat::number).collect()
    }

    #[test]
    fn the_first_offer_goes_to_the_casino_dealers_left() {
        assert_eq!(offered(&[], &seated()), [2, 5, 7]);
    }

    #[test]
    fn from_every_seat_of_a_full_table_the_bank_goes_clockwise() {
        let players = ["ann", "bea", "cy", "dee", "eli", "fay", "gus", "hal"];
        let full: Vec<_> = (1..).map(seat).zip(players).collect();
        for (number, player) in (1..=8).zip(players) {
            let clockwise: Vec<u32> = (number..=8).chain(1..number).collect();
            assert_eq!(offered(&[banked(number, player)], &full), clockwise, "{player} banked");
        }
    }

    #[test]
    fn no_player_banks_a_third_time_in_a_row() {
        let bea = banked(5, "bea");
        assert_eq!(offered(&[bea], &seated()), [5, 7, 2]);
        assert_eq!(offered(&[bea, bea], &seated()), [7, 2]);
        // After a round banked by another player, they may bank again.
        assert_eq!(offered(&[bea, bea, banked(7, "cy")], &seated()), [7, 2, 5]);
        assert_eq!(offered(&[bea, bea, banked(7, "cy"), bea], &seated()), [5, 7, 2]);
    }

    #[test]
    fn rounds_are_counted_by_player_and_not_by_seat() {
        let moved = [(seat(7), "cy"), (seat(2), "ann"), (seat(8), "bea")];
        assert_eq!(offered(&[banked(5, "bea"), banked(8, "bea")], &moved), [2, 7]);
    }

    #[test]
    fn the_bank_of_a_player_who_left_passes_to_the_left() {
        let left = [(seat(7), "cy"), (seat(2), "ann")];
        assert_eq!(offered(&[banked(5, "bea")], &left), [7, 2]);
        assert_eq!(offered(&[banked(7, "bea")], &left), [2, 7]);
    }

    #[test]
    fn a_player_with_several_seats_is_asked_once_and_the_bank_goes_on_from_where_they_banked() {
        let seated = [
            (seat(1), "bea"),
            (seat(2), "ann"),
            (seat(5), "bea"),
            (seat(6), "ann"),
            (seat(7), "cy"),
        ];
        assert_eq!(offered(&[], &seated), [1, 2, 7]);
        let (first, fifth) = (banked(1, "bea"), banked(5, "bea"));
        // At seat 5 they keep it there, not at their other seat; then it goes to seat 6.
        assert_eq!(offered(&[fifth], &seated), [5, 6, 7]);
        assert_eq!(offered(&[first, fifth], &seated), [6, 7]);
        assert_eq!(offered(&[fifth, first], &seated), [2, 7]);
        // Seat 4 is no longer theirs: the first of their seats to the left of it has the bank.
        assert_eq!(offered(&[banked(4, "bea")], &seated), [5, 6, 7]);
    }

    #[test]
    fn a_player_alone_after_two_rounds_gets_no_third_offer() {
        let bea = banked(5, "bea");
        assert!(offered(&[bea, bea], &[(seat(5), "bea")]).is_empty());
    }
}
