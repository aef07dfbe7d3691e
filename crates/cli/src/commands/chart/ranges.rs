//! Ranges of hands in players' notation: `33+; any ace; K2s+, K5o+`.

use croupier_cards::Rank;
use croupier_odds::HoleKind;

/// Summarizes the chosen hands.
///
/// Pairs come first, then the other hands by their higher card. A plus sign means all hands up to
/// the best of the same kind.
pub(super) fn ranges(chosen: impl Fn(HoleKind) -> bool) -> String {
    let chosen: Vec<HoleKind> = HoleKind::all().filter(|&kind| chosen(kind)).collect();
    if chosen.len() == HoleKind::MANY {
        return "every hand".to_owned();
    }
    let lows = |high: Rank, suited: bool| -> Vec<bool> {
        let is = |low: Rank| {
            chosen.iter().any(|kind| {
                kind.ranks() == (high, low) && kind.is_suited() == suited && !kind.is_pair()
            })
        };
        Rank::ALL.into_iter().take_while(|&low| low < high).map(is).collect()
    };
    let mut parts = Vec::new();
    let pairs: Vec<bool> = Rank::ALL
        .map(|rank| chosen.iter().any(|kind| kind.ranks() == (rank, rank)))
        .into_iter()
        .collect();
    if pairs.iter().all(|&pair| pair) {
        parts.push("any pair".to_owned());
    } else {
        let name = |rank: Rank| format!("{0}{0}", rank.letter());
        parts.extend(Some(runs(&pairs, name)).filter(|runs| !runs.is_empty()));
    }
    for high in Rank::ALL.into_iter().rev() {
        let (suited, offsuit) = (lows(high, true), lows(high, false));
        if suited.len() > 1 && suited.iter().chain(&offsuit).all(|&it| it) {
            parts.push(format!("any {}", high.name()));
            continue;
        }
        let both = [(suited, 's'), (offsuit, 'o')].map(|(lows, suits)| {
            runs(&lows, |low| format!("{}{}{suits}", high.letter(), low.letter()))
        });
        let both: Vec<String> = both.into_iter().filter(|runs| !runs.is_empty()).collect();
        if !both.is_empty() {
            parts.push(both.join(", "));
        }
    }
    parts.join("; ")
}

/// Names the runs of chosen ranks, the highest first.
fn runs(chosen: &[bool], name: impl Fn(Rank) -> String) -> String {
    let mut names = Vec::new();
    let mut end = chosen.len();
    while end > 0 {
        if !chosen[end - 1] {
            end -= 1;
            continue;
        }
        let start = chosen[..end].iter().rposition(|&it| !it).map_or(0, |gap| gap + 1);
        let (low, high) = (name(Rank::ALL[start]), name(Rank::ALL[end - 1]));
        names.push(match end - start {
            1 => low,
            _ if end == chosen.len() => format!("{low}+"),
            _ => format!("{high}-{low}"),
        });
        end = start;
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &str) -> String {
        ranges(|kind| names.split(' ').any(|name| name == kind.to_string()))
    }

    #[test]
    fn hands_are_summarized_in_players_notation() {
        assert_eq!(of(""), "");
        assert_eq!(ranges(|_| true), "every hand");
        assert_eq!(ranges(HoleKind::is_pair), "any pair");
        assert_eq!(of("AA KK QQ"), "QQ+");
        assert_eq!(of("AA 99 88 22"), "AA, 99-88, 22");
        assert_eq!(of("JTo JTs J9s"), "J9s+, JTo");
        assert_eq!(of("AKs AJs ATs 32o"), "AKs, AJs-ATs; 32o");
        assert_eq!(of("43s 42s 43o 42o"), "any four");
        assert_eq!(ranges(|kind| kind.ranks().0 == Rank::Ace && !kind.is_pair()), "any ace");
    }
}
