//! The chart of Texas Hold'em as a page.

use croupier_rules::Decision;

use super::holdem::{GLOSSARY, Hand, HoldemChart};
use super::page::{LEFT, Page, RIGHT, look};
use super::{spoken, wrap};

/// The size of a cell in the square.
const CELL: [u32; 2] = [65, 43];
const TOP: u32 = 192;

pub(super) fn draw(chart: &HoldemChart) -> String {
    let mut page = Page::new("what to do, street by street", &chart.terms);
    let largest = chart.terms.raises().last().copied().unwrap_or_default();
    for (row, (_, hands)) in (0..).zip(chart.rows()) {
        for (column, hand) in (0..).zip(hands) {
            draw_hand(&mut page, [column, row], hand, largest);
        }
    }
    let below = TOP + 13 * CELL[1];
    draw_legend(&mut page, chart, below + 28, largest);
    draw_words(&mut page, chart, below + 64);
    draw_closest(&mut page, chart, below + 64);
    draw_later(&mut page, chart, below + 238);
    page.figures(1_138, &chart.sheet);
    page.finish(&chart.sheet)
}

fn draw_hand(page: &mut Page, [column, row]: [u32; 2], hand: &Hand, largest: u32) {
    let [width, height] = CELL;
    let (x, y) = (LEFT + column * width, TOP + row * height);
    let (class, text) = look(hand.choice.best, largest);
    let name = hand.kind.to_string();
    page.open("cell", &format!("{name}: {}", spoken(hand.choice.best)));
    page.boxed([x, y, width, height], class);
    page.text(x + 7, y + 19, &format!("sans label {text}"), &name);
    let mark = mark(hand.choice.best);
    page.text(x + 7, y + 35, &format!("sans tiny bold {text}"), &mark);
    let value = hand.value().to_f64();
    let digits = if value.abs() < 10.0 { 2 } else { 0 };
    let value = format!("{value:+.digits$}").replace('-', "−");
    page.text(x + width - 7, y + 35, &format!("sans tiny figures end {text}"), &value);
    page.close();
}

/// Returns the mark of an action, short enough for a cell.
fn mark(action: Decision) -> String {
    match action {
        Decision::Bet(times) if times < 10 => format!("{times}x"),
        Decision::Bet(_) => "bet".to_owned(),
        Decision::Check | Decision::Fold => "✓".to_owned(),
    }
}

fn draw_legend(page: &mut Page, chart: &HoldemChart, y: u32, largest: u32) {
    let bets = chart.bets().into_iter().map(Decision::Bet);
    let mut x = LEFT;
    for action in bets.chain([Decision::Check]) {
        let (class, text) = look(action, largest);
        let name = match action {
            Decision::Bet(times) => format!("raise {times}x"),
            _ => "check".to_owned(),
        };
        page.boxed([x, y - 15, 30, 20], class);
        page.text(x + 15, y, &format!("sans tiny bold middle {text}"), &mark(action));
        page.text(x + 38, y, "sans small", &name);
        x += 120;
    }
    let note = "Below each hand: what to do, and its value in antes. \
                Suited above the pairs, offsuit below.";
    page.text(RIGHT, y, "sans small end", note);
}

fn draw_words(page: &mut Page, chart: &HoldemChart, mut y: u32) {
    page.text(LEFT, y, "sans head", "IN WORDS");
    y += 28;
    for times in chart.bets() {
        let action = Decision::Bet(times);
        let words = format!("Raise {times}x with {}.", chart.ranges(action));
        for line in wrap(&words, 56) {
            page.text(LEFT, y, "", &line);
            y += 23;
        }
        page.text(LEFT, y, "sans small", &chart.share(action));
        y += 26;
    }
    let words = if chart.bets().is_empty() { "Check every hand." } else { "Check the rest." };
    page.text(LEFT, y, "", words);
    page.text(LEFT, y + 23, "sans small", &chart.share(Decision::Check));
}

fn draw_later(page: &mut Page, chart: &HoldemChart, mut y: u32) {
    page.text(LEFT, y, "sans head", "ON THE FLOP AND RIVER, IN A FEW RULES");
    y += 28;
    let [flop, river, cost] = chart.later.words();
    for words in [flop, river] {
        for line in wrap(&words, 118) {
            page.text(LEFT, y, "", &line);
            y += 23;
        }
    }
    for words in [cost.as_str(), GLOSSARY] {
        page.text(LEFT, y, "sans small", words);
        y += 20;
    }
}

fn draw_closest(page: &mut Page, chart: &HoldemChart, y: u32) {
    let left = LEFT + 545;
    page.text(left, y, "sans head", "CLOSEST DECISIONS");
    for (line, hand) in (1..).zip(chart.closest(5)) {
        let y = y + 4 + 24 * line;
        let gain = format!("{:.6}", hand.choice.margin.to_f64());
        let over = format!("over {}", spoken(hand.choice.next));
        page.text(left, y, "sans bold", &hand.kind.to_string());
        page.text(left + 52, y, "sans", &spoken(hand.choice.best));
        page.text(left + 196, y, "sans figures end", &gain);
        page.text(left + 208, y, "sans", &over);
    }
    page.text(left, y + 152, "sans small", "gain over the next best choice, in antes");
}
