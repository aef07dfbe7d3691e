//! The evaluator's tables match their generator's output.

use croupier_cards::lookup;

#[test]
fn the_tables_match_their_generator() {
    assert!(
        lookup::generate() == lookup::TABLES,
        "tables/lookup.bin differs from the output of lookup::generate; to regenerate it: \
         cargo run --release --package croupier-cards --example tables"
    );
}
