//! A printable page, as SVG.
//!
//! It fits A4 and Letter, with the margins that printers need. A text or a pattern repeats the
//! meaning of every color, so that the page survives a printer without colors. There are no scripts
//! and no fonts to load.

use std::fmt::{Display, Write};

use croupier_odds::{MainSheet, Terms};
use croupier_rules::Decision;

use super::{percent, spoken};
use crate::commands::thousands;

/// The width and height of a page, five units to a millimeter.
const WIDTH: u32 = 930;
const HEIGHT: u32 = 1_300;
/// Where the text starts and ends.
pub(super) const LEFT: u32 = 40;
pub(super) const RIGHT: u32 = WIDTH - LEFT;

const STYLE: &str = "\
text { font-family: Georgia, 'Times New Roman', serif; fill: #1d2a24; font-size: 17px }
.sans { font-family: 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif }
.figures { font-variant-numeric: tabular-nums }
.title { font-size: 44px }
.over { font-size: 13px; letter-spacing: 3px; fill: #1f5e46 }
.head { font-size: 13px; letter-spacing: 2px; fill: #1f5e46; font-weight: bold }
.small { font-size: 13px; fill: #4a5650 }
.label { font-size: 18px; font-weight: bold }
.tiny { font-size: 12px }
.light { fill: #ffffff }
.faint { fill: #4a5650 }
.middle { text-anchor: middle }
.end { text-anchor: end }
.bold { font-weight: bold }
.line { stroke: #1f5e46; stroke-width: 1.2 }
.gold { stroke: #b08d3c; stroke-width: 2.5 }
.best { fill: #1f5e46; stroke: #ffffff }
.other { fill: url(#hatch); stroke: #9fb3a8 }
.wait { fill: #fbfaf6; stroke: #c3ccc6 }
";

/// Hatching for boxes that are neither the best bet nor a check or fold.
const DEFINITIONS: &str = "\
<defs><pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" \
patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"#e3efe7\"/>\
<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"7\" stroke=\"#b5d0c0\" stroke-width=\"2.4\"/></pattern></defs>
";

/// A page under construction.
pub(super) struct Page(String);

impl Page {
    /// Starts a page with its head: the title, and the terms it applies to.
    pub(super) fn new(what: &str, terms: &Terms) -> Self {
        let game = terms.game().def();
        let (title, millimetres) = (escaped(game.title), [WIDTH / 5, HEIGHT / 5]);
        let mut page = Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<title>{title}: {what}</title>\n\
             <style>\n{STYLE}</style>\n{DEFINITIONS}\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n",
            millimetres[0], millimetres[1]
        ));
        page.text(LEFT, 52, "sans over", &what.to_uppercase());
        page.text(LEFT, 98, "title", &game.title.replace('\'', "’"));
        page.line("gold", LEFT, 116, RIGHT);
        let pays: Vec<String> = terms
            .blind()
            .lines(terms.game())
            .map(|(hand, ratio)| {
                let ratio = ratio.to_string();
                format!("{hand} {}", ratio.strip_suffix(":1").unwrap_or(&ratio))
            })
            .collect();
        let blind = format!("Blind {}: {}", terms.blind().id(), pays.join(" · "));
        let mut y = 142;
        for line in super::wrap(&blind, 108) {
            page.text(LEFT, y, "sans small", &line);
            y += 20;
        }
        page.text(LEFT, y, "sans small", &rules(terms));
        page
    }

    /// Writes text.
    pub(super) fn text(&mut self, x: u32, y: u32, class: &str, text: &str) {
        let text = escaped(text);
        self.push(format_args!("<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{text}</text>\n"));
    }

    /// Draws a box.
    pub(super) fn boxed(&mut self, [x, y, width, height]: [u32; 4], class: &str) {
        self.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" class=\"{class}\"/>\n"
        ));
    }

    /// Draws a horizontal line.
    pub(super) fn line(&mut self, class: &str, x: u32, y: u32, to: u32) {
        self.push(format_args!(
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" class=\"{class}\"/>\n"
        ));
    }

    /// Opens a group, so that elements that belong together can be found.
    pub(super) fn open(&mut self, class: &str, label: &str) {
        let label = escaped(label);
        self.push(format_args!("<g class=\"{class}\" aria-label=\"{label}\">\n"));
    }

    /// Closes the group that was opened last.
    pub(super) fn close(&mut self) {
        self.0.push_str("</g>\n");
    }

    /// Writes the figures of the game, and how often each action ends a round.
    pub(super) fn figures(&mut self, y: u32, sheet: &MainSheet) {
        self.line("line", LEFT, y, RIGHT);
        self.text(LEFT, y + 26, "sans head", "WITH THE BEST PLAY");
        let figures = [
            ("house edge, of the ante", percent(sheet.edge(), 4)),
            ("of the amount wagered", percent(sheet.element_of_risk, 4)),
            ("wagered on average", format!("{:.3} antes", sheet.average_wager.to_f64())),
            ("standard deviation", format!("{:.3} antes", sheet.standard_deviation())),
        ];
        for (x, (name, value)) in (LEFT..).step_by(215).zip(figures) {
            self.text(x, y + 58, "sans figures label", &value);
            self.text(x, y + 77, "sans small", name);
        }
        let ends: Vec<String> = sheet
            .frequency
            .iter()
            .filter(|(_, share)| share.numerator() > 0)
            .map(|&(action, share)| format!("{} {}", spoken(action), percent(share, 2)))
            .collect();
        let ends = format!("Rounds end with: {}", ends.join(" · "));
        self.text(LEFT, y + 108, "sans small figures", &ends);
    }

    /// Ends the page.
    pub(super) fn finish(mut self, sheet: &MainSheet) -> String {
        let footer = format!("exact, {} deals", thousands(sheet.deals));
        self.text(LEFT, HEIGHT - 22, "sans tiny faint", "Croupier · play money only");
        self.text(RIGHT, HEIGHT - 22, "sans tiny faint end", &footer);
        self.0.push_str("</svg>\n");
        self.0
    }

    fn push(&mut self, text: impl Display) {
        write!(self.0, "{text}").expect("a string");
    }
}

/// Describes in one line the legal bets and when the dealer qualifies.
fn rules(terms: &Terms) -> String {
    let bets = terms.game().play_rule(terms.raises());
    let qualifies = if terms.qualifying() {
        format!("needs {} to qualify", terms.game().def().qualifying_hand)
    } else {
        "always qualifies".to_owned()
    };
    format!("Play: {bets}; the dealer {qualifies}")
}

/// Returns the classes of the box for an action: the largest bet, a smaller one, or none.
pub(super) fn look(action: Decision, largest: u32) -> (&'static str, &'static str) {
    match action {
        Decision::Bet(times) if times == largest => ("best", "light"),
        Decision::Bet(_) => ("other", ""),
        Decision::Check | Decision::Fold => ("wait", "faint"),
    }
}

/// Escapes text for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_taken_for_xml() {
        assert_eq!(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
