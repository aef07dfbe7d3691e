//! Sums of tables' takings.

use std::collections::BTreeMap;

use croupier_rules::Amount;

use crate::rounds::{RoundSeat, Takings};

/// The sums so far, by table and house.
#[derive(Debug, Default)]
pub(crate) struct Sums(BTreeMap<String, BTreeMap<String, TableSums>>);

/// The sums of a table under one house, which may exceed a database integer.
#[derive(Debug, Default)]
struct TableSums {
    rounds: u64,
    void: u64,
    hands: u64,
    ante: i128,
    bonus: i128,
    staked: i128,
    net: i128,
}

impl Sums {
    fn sums(&mut self, table: &str, house: &str) -> &mut TableSums {
        // Nearly every time they exist, and no name needs to be allocated.
        if !self.0.get(table).is_some_and(|houses| houses.contains_key(house)) {
            let houses = self.0.entry(table.to_owned()).or_default();
            houses.insert(house.to_owned(), TableSums::default());
        }
        let houses = self.0.get_mut(table).expect("just inserted");
        houses.get_mut(house).expect("just inserted")
    }

    /// Adds a finished round.
    pub(crate) fn round(&mut self, table: &str, house: &str, void: bool) {
        let sums = self.sums(table, house);
        sums.rounds += u64::from(!void);
        sums.void += u64::from(void);
    }

    /// Adds the seat of a player who wagered in a round that counted.
    pub(crate) fn hand(&mut self, table: &str, house: &str, seat: &RoundSeat) {
        let sums = self.sums(table, house);
        sums.hands += 1;
        sums.ante += i128::from(seat.ante.as_cents());
        sums.bonus += i128::from(seat.bonus.as_cents());
        sums.staked += i128::from(seat.staked.as_cents());
        sums.net += i128::from(seat.net.as_cents());
    }

    /// Returns the sums.
    pub(crate) fn takings(self) -> Vec<Takings> {
        let mut takings = Vec::new();
        for (table, houses) in self.0 {
            for (house, sums) in houses {
                takings.push(Takings {
                    table: table.clone(),
                    house,
                    rounds: sums.rounds,
                    void: sums.void,
                    hands: sums.hands,
                    ante: amount(sums.ante),
                    bonus: amount(sums.bonus),
                    staked: amount(sums.staked),
                    net: amount(sums.net),
                    exceeds: [sums.ante, sums.bonus, sums.staked, sums.net]
                        .iter()
                        .any(|&sum| i64::try_from(sum).is_err()),
                });
            }
        }
        takings
    }
}

fn amount(cents: i128) -> Amount {
    let most = if cents < 0 { i64::MIN } else { i64::MAX };
    Amount::cents(i64::try_from(cents).unwrap_or(most))
}
