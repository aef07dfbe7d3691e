//! The evaluator's tables are what their generator makes.

use croupier_cards::lookup;

#[test]
fn the_tables_are_made_by_their_generator() {
    assert!(
        lookup::generate() == lookup::TABLES,
        "tables/lookup.bin differs from what lookup::generate makes; to write it anew: \
         cargo run --release --package croupier-cards --example tables"
    );
}
