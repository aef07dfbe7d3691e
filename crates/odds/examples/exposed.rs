//! The value of Ultimate Texas Hold'em to a player who sees one of the dealer's cards.
//!
//! ```sh
//! cargo run --release --package croupier-odds --example exposed
//! ```
//!
//! The player sees it before the first decision, and plays perfectly on every street. Each spot is
//! valued by [`advise`], once for all that differ only in the names of suits; nothing is sampled.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::error::Error;

use croupier_cards::{CardSet, canonical};
use croupier_odds::{Fraction, Known, Terms, advise};
use croupier_rules::{Catalog, Decision, Game};

/// The number of boards that can follow, times the dealer hands for each: the denominator of every
/// value, apart from the parts that an ante is split into.
const DEALS_OF_A_SPOT: i128 = 18_424 * 1_035 * 44;

fn main() -> Result<(), Box<dyn Error>> {
    let terms = Terms::new(Game::Uth, Catalog::shipped().paytable("UTH")?.clone())?;
    let (mut classes, mut spots, mut raising) = (0, 0, 0_u32);
    // The Blind pays 3 to 2 at the finest, so halves of an ante are whole numbers.
    let scale = 2;
    let mut total = 0;
    for hole in CardSet::FULL.subsets(2) {
        for dealer in !hole {
            let spot = [hole, CardSet::of(dealer)];
            let form = canonical(spot);
            if form.cards != spot {
                continue;
            }
            let known = Known {
                hand: hole.into_iter().collect(),
                dealer: vec![dealer],
                ..Known::default()
            };
            let advice = advise(&terms, &known)?;
            let best = advice.actions.iter().find(|(action, _)| *action == advice.best);
            let value = best.expect("the best is one of them").1;
            let parts = DEALS_OF_A_SPOT * scale / value.denominator();
            total += i128::from(form.multiplicity) * value.numerator() * parts;
            classes += 1;
            spots += form.multiplicity;
            if matches!(advice.best, Decision::Bet(_)) {
                raising += form.multiplicity;
            }
        }
    }
    let edge = Fraction::new(total, i128::from(spots) * DEALS_OF_A_SPOT * scale);
    println!("{classes} classes of {spots} spots");
    println!("the player wins {:+.6} % of the ante, exactly {edge}", 100.0 * edge.to_f64());
    println!(
        "the player raises in {:.4} % of all rounds",
        100.0 * f64::from(raising) / f64::from(spots)
    );
    Ok(())
}
