//! Spots that differ only in the names of their suits.

use std::collections::{BTreeMap, BTreeSet};

use croupier_cards::{
    Canonical, CardSet, Suit, SuitMap, boards, canonical, choose, flops, flops_with_holes,
};

/// Returns all 24 renamings of the suits, each as the canonical form's map back.
fn renamings() -> Vec<SuitMap> {
    // A set whose four suits all hold something else: each order of the suits leads to it.
    let four = ["2", "3", "4", "5"];
    let mut maps = Vec::new();
    for a in Suit::ALL {
        for b in Suit::ALL {
            for c in Suit::ALL {
                for d in Suit::ALL {
                    let text =
                        four.iter().zip([a, b, c, d]).map(|(rank, suit)| format!("{rank}{suit}"));
                    if BTreeSet::from([a, b, c, d]).len() == 4 {
                        let set: CardSet = text.collect::<String>().parse().unwrap();
                        maps.push(canonical([set]).map);
                    }
                }
            }
        }
    }
    assert_eq!(maps.len(), 24);
    maps
}

/// Checks that a form stands for as many spots as it says, and that each of them leads to it.
fn check<const N: usize>(form: &Canonical<N>, renamings: &[SuitMap]) {
    let mut spots = BTreeSet::new();
    for map in renamings {
        let spot = form.cards.map(|cards| map.cards(cards));
        if spots.insert(spot) {
            let found = canonical(spot);
            assert_eq!((found.cards, found.multiplicity), (form.cards, form.multiplicity));
            assert_eq!(spot.map(|cards| found.map.cards(cards)), form.cards);
            assert_eq!(form.cards.map(|cards| found.map.inverse().cards(cards)), spot);
        }
    }
    assert_eq!(spots.len(), form.multiplicity as usize);
}

#[test]
fn flops_are_1_755() {
    let mut tally = BTreeMap::new();
    for flop in CardSet::FULL.subsets(3) {
        *tally.entry(canonical([flop]).cards).or_insert(0) += 1;
    }
    let forms: Vec<_> = flops().collect();
    assert_eq!(forms.len(), 1_755);
    assert_eq!(forms.iter().map(|form| form.multiplicity).sum::<u32>(), 22_100);
    for form in &forms {
        assert_eq!(tally[&form.cards], form.multiplicity);
    }
    assert_eq!(tally.len(), forms.len());
}

#[test]
fn boards_are_134_459() {
    let renamings = renamings();
    let (mut forms, mut raw) = (0, 0);
    for form in boards() {
        check(&form, &renamings);
        forms += 1;
        raw += u64::from(form.multiplicity);
    }
    assert_eq!((forms, raw), (134_459, choose(52, 5)));
}

#[test]
fn flops_with_holes_are_1_286_792() {
    let renamings = renamings();
    let (mut forms, mut raw) = (0, 0);
    for form in flops_with_holes() {
        check(&form, &renamings);
        forms += 1;
        raw += u64::from(form.multiplicity);
    }
    assert_eq!((forms, raw), (1_286_792, choose(52, 3) * choose(49, 2)));
}
