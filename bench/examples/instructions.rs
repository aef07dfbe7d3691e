//! A workload for counting instructions: `bench/instructions` runs this under callgrind.
//!
//! ```text
//! cargo run --release --package croupier-bench --example instructions -- solve
//! ```
//!
//! All cards are dealt before the first question, whatever the number of questions. So the
//! difference between two runs is only the additional questions of one.

#![expect(clippy::print_stdout, reason = "it prints its results")]
#![expect(clippy::disallowed_methods, reason = "it reads its arguments")]

use std::num::NonZero;

use croupier_cards::Card;
use croupier_odds::{Holdem, Known, MainSheet, Terms, advise};
use croupier_rules::{Catalog, Game};

const SPOTS: usize = 1_100;

/// Deals holes with a board of a given size, from a fixed seed.
fn spots(board: usize) -> Vec<Known> {
    let mut state = 2_026_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        usize::try_from((u128::from(state) * bound as u128) >> 64).expect("below the bound")
    };
    let spot = |_| {
        let mut pack = Card::ALL;
        for at in 0..2 + board {
            pack.swap(at, at + below(52 - at));
        }
        let (hand, board) = (pack[..2].to_vec(), pack[2..2 + board].to_vec());
        Known { hand, board, ..Known::default() }
    };
    (0..SPOTS).map(spot).collect()
}

/// Gets advice in a number of spots, and returns how often it is to bet.
fn ask(terms: &Terms, spots: &[Known], many: &str) -> usize {
    let many: usize = many.parse().expect("a number of spots");
    assert!(many <= spots.len(), "there are {SPOTS} spots");
    let first = spots[..many].iter();
    first
        .map(|known| advise(terms, known).expect("a spot"))
        .filter(|advice| advice.best == advice.actions[0].0)
        .count()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let blind = Catalog::shipped().paytable("UTH").expect("a table").clone();
    let terms = Terms::new(Game::Uth, blind).expect("good terms");
    let (on_flops, on_rivers) = (spots(3), spots(5));
    match arguments[..] {
        ["nothing"] => {}
        ["solve"] => {
            let solved = Holdem::solve(terms, NonZero::<usize>::MIN);
            println!("{} antes over all deals", solved.total());
        }
        ["sheet"] => {
            let solved = Holdem::solve(terms, NonZero::<usize>::MIN);
            let sheet = MainSheet::new(solved.terms(), solved.outcomes());
            println!("{} antes per deal", sheet.ev);
        }
        ["flop", many] => println!("{} bets", ask(&terms, &on_flops, many)),
        ["river", many] => println!("{} bets", ask(&terms, &on_rivers, many)),
        _ => panic!("use nothing, solve, sheet, flop N or river N"),
    }
}
