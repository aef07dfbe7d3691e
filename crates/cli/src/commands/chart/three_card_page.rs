//! The chart of Three Card Poker as a page.

use croupier_cards::Rank;

use super::page::{LEFT, Page, RIGHT, look};
use super::three_card::{Kicker, ThreeCardChart, highs, middles};
use super::{spoken, wrap};

/// The size of a cell in the table of high cards.
const CELL: [u32; 2] = [66, 34];
/// The height of all rungs together, the number of rungs that fit, and the number of notes below.
const HEIGHT: u32 = 198;
const RUNGS: usize = 5;
const NOTES: usize = 3;

pub(super) fn draw(chart: &ThreeCardChart) -> String {
    let mut page = Page::new("what to do with three cards", &chart.terms);
    let below = draw_rungs(&mut page, chart, 192);
    draw_table(&mut page, chart, below + 34);
    draw_closest(&mut page, chart, 880);
    page.figures(1_138, &chart.sheet);
    page.finish(&chart.sheet)
}

/// Draws the line from the strongest hands to the weakest, and returns where it ends.
fn draw_rungs(page: &mut Page, chart: &ThreeCardChart, top: u32) -> u32 {
    let largest = chart.terms.raises().last().copied().unwrap_or_default();
    let rungs = chart.rungs();
    let height = match rungs.len() {
        0..=3 => HEIGHT / 3,
        4 => HEIGHT / 4,
        _ => HEIGHT / 5,
    };
    let mut y = top;
    for rung in rungs.iter().take(RUNGS) {
        let (class, text) = rung.action.map_or(("other", ""), |action| look(action, largest));
        let action = rung.action.map_or_else(|| "suits".to_owned(), spoken);
        let (many, share) = rung.share();
        page.open("rung", &action);
        page.boxed([LEFT, y, RIGHT - LEFT, height - 6], class);
        let base = y + height / 2 + 4;
        page.text(LEFT + 24, base, &format!("sans label {text}"), &action);
        page.text(LEFT + 160, base, text, &chart.hands_of(rung));
        let share = format!("{share} of all hands, {many} of 22,100");
        page.text(RIGHT - 24, base, &format!("sans small figures end {text}"), &share);
        page.close();
        y += height;
    }
    let by_suits = chart.by_suits();
    let mut notes: Vec<String> = by_suits.iter().flat_map(|note| wrap(note, 120)).collect();
    if notes.is_empty() {
        notes.push("Suits change no decision.".to_owned());
    }
    if rungs.len() > RUNGS || notes.len() > NOTES {
        notes.truncate(NOTES - 1);
        notes.push("Not all of it fits here: run croupier chart utcp for the rest.".to_owned());
    }
    for note in notes {
        page.text(LEFT, y + 18, "sans small", &note);
        y += 20;
    }
    y
}

fn draw_table(page: &mut Page, chart: &ThreeCardChart, top: u32) {
    page.text(LEFT, top, "sans head", "BELOW A PAIR");
    let words = "by the two higher cards; where the third card decides, the lowest one that bets";
    page.text(LEFT + 150, top, "sans small", words);
    let [width, height] = CELL;
    let left = LEFT + 60;
    let place = |rank: Rank| (0..).zip(middles()).find(|&(_, other)| other == rank);
    for (column, middle) in (0..).zip(middles()) {
        let x = left + column * width + width / 2;
        page.text(x, top + 32, "sans bold middle", &middle.letter().to_string());
    }
    for (row, high) in (0..).zip(highs()) {
        let y = top + 42 + row * height;
        page.text(LEFT + 30, y + 24, "sans bold middle", &high.letter().to_string());
        for middle in middles().filter(|&middle| middle < high) {
            let (class, text, mark) = match chart.kicker(high, middle) {
                Kicker::Nothing => continue,
                Kicker::All => ("best", "light", "bet".to_owned()),
                Kicker::Never => ("wait", "faint", "fold".to_owned()),
                Kicker::From(rank) => ("other", "bold", format!("{}+", rank.letter())),
                Kicker::Mixed => ("other", "bold", "suits".to_owned()),
            };
            let column = place(middle).map_or(0, |(column, _)| column);
            let x = left + column * width;
            page.open("cell", &format!("{}-{}: {mark}", high.letter(), middle.letter()));
            page.boxed([x, y, width, height], class);
            page.text(x + width / 2, y + 23, &format!("sans tiny middle {text}"), &mark);
            page.close();
        }
    }
}

fn draw_closest(page: &mut Page, chart: &ThreeCardChart, top: u32) {
    page.text(LEFT, top, "sans head", "CLOSEST DECISIONS");
    let words = "gain over the next best choice, in antes: smallest to largest, depending on suits";
    page.text(LEFT + 210, top, "sans small", words);
    for (line, close) in (1..).zip(chart.closest(5)) {
        let y = top + 4 + 24 * line;
        page.text(LEFT, y, "sans bold", &close.hand);
        page.text(LEFT + 150, y, "sans", &close.best);
        page.text(LEFT + 270, y, "sans figures", &close.margins);
        page.text(LEFT + 500, y, "sans", &close.over);
    }
}
