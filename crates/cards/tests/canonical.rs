//! Spots that differ only in the names of their suits.

use std::collections::{BTreeMap, BTreeSet};

use croupier_cards::{
    Canonical, CardSet, SuitMap, boards, canonical, choose, flops, flops_with_holes, holes,
};

/// Checks that a form stands for as many spots as its multiplicity, and that each maps to it.
fn check<const N: usize>(form: &Canonical<N>) {
    let mut spots = BTreeSet::new();
    for map in SuitMap::ALL {
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
fn there_are_24_renamings() {
    let four: CardSet = "2c 3d 4h 5s".parse().unwrap();
    let images: BTreeSet<CardSet> = SuitMap::ALL.iter().map(|map| map.cards(four)).collect();
    assert_eq!(images.len(), 24);
    assert_eq!(SuitMap::ALL[0], SuitMap::IDENTITY);
}

#[test]
fn there_are_169_holes() {
    let forms: Vec<_> = holes().collect();
    forms.iter().for_each(check);
    assert_eq!(forms.len(), 169);
    assert_eq!(forms.iter().map(|form| form.multiplicity).sum::<u32>(), 1_326);
}

#[test]
fn there_are_1_755_flops() {
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
fn there_are_134_459_boards() {
    let (mut forms, mut raw) = (0, 0);
    for form in boards() {
        check(&form);
        forms += 1;
        raw += u64::from(form.multiplicity);
    }
    assert_eq!((forms, raw), (134_459, choose(52, 5)));
}

#[test]
fn there_are_1_286_792_flops_with_holes() {
    let (mut forms, mut raw) = (0, 0);
    for form in flops_with_holes() {
        check(&form);
        forms += 1;
        raw += u64::from(form.multiplicity);
    }
    assert_eq!((forms, raw), (1_286_792, choose(52, 3) * choose(49, 2)));
}
