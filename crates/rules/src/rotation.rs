//! Whose turn it is to bank.

use crate::seat::Seat;

/// A player who banked a round that was dealt and settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banked<'a> {
    /// Where he sat.
    pub seat: Seat,
    /// His name.
    pub player: &'a str,
}

/// Returns the seats to which the bank is offered for the next round, in order, until one takes it.
/// If none does, there is no round.
///
/// The bank goes clockwise. Who banked last may keep it until he has had it for `max_consecutive`
/// rounds in a row; then it passes to his left, and he is left out. Rounds are counted by player,
/// so changing seats does not help; rounds that were void or not dealt are not in the history, so
/// they neither count nor interrupt.
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
    let mut seats = seated.to_vec();
    seats.sort_by_key(|&(seat, _)| seat);
    let Some(last) = history.last() else {
        return seats.into_iter().map(|(seat, _)| seat).collect();
    };
    let in_a_row = history.iter().rev().take_while(|banked| banked.player == last.player).count();
    let may_keep = u32::try_from(in_a_row).is_ok_and(|rounds| rounds < max_consecutive);

    // The bank stays where its holder sits now; if he has left, it passes on from where he sat.
    let holder = seats.iter().find(|(_, player)| *player == last.player).map(|&(seat, _)| seat);
    let from = holder.unwrap_or(last.seat);
    seats.sort_by_key(|&(seat, _)| (seat.number() + 7 - from.number()) % 8);
    let others = seats.iter().filter(|(_, player)| *player != last.player).map(|&(seat, _)| seat);
    holder.filter(|_| may_keep).into_iter().chain(others).collect()
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
    fn nobody_banks_a_third_time_in_a_row() {
        let bea = banked(5, "bea");
        assert_eq!(offered(&[bea], &seated()), [5, 7, 2]);
        assert_eq!(offered(&[bea, bea], &seated()), [7, 2]);
        // Another's round in between, and he may again.
        assert_eq!(offered(&[bea, bea, banked(7, "cy")], &seated()), [7, 2, 5]);
        assert_eq!(offered(&[bea, bea, banked(7, "cy"), bea], &seated()), [5, 7, 2]);
    }

    #[test]
    fn rounds_are_counted_by_player_and_not_by_seat() {
        let moved = [(seat(7), "cy"), (seat(2), "ann"), (seat(8), "bea")];
        assert_eq!(offered(&[banked(5, "bea"), banked(8, "bea")], &moved), [2, 7]);
    }

    #[test]
    fn the_bank_of_one_who_has_left_passes_to_his_left() {
        let left = [(seat(7), "cy"), (seat(2), "ann")];
        assert_eq!(offered(&[banked(5, "bea")], &left), [7, 2]);
        assert_eq!(offered(&[banked(7, "bea")], &left), [2, 7]);
    }

    #[test]
    fn alone_after_two_rounds_there_is_nobody_to_offer_it_to() {
        let bea = banked(5, "bea");
        assert!(offered(&[bea, bea], &[(seat(5), "bea")]).is_empty());
    }
}
