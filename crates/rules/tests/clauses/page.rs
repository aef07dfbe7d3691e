//! A strict parser for the page `docs/rulebook/clauses.md`: any other form is a fault.

const HEAD: &str = "| clause | what it says | held by | shown by |";
const RULE: &str = "|---|---|---|---|";

/// The minimum length of a quote. A shorter one is found in too many places to prove anything.
const SHORTEST_QUOTE: usize = 8;

/// A clause of a document, from the page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Clause<'a> {
    /// The document, a heading of the second level.
    pub(crate) document: &'a str,
    /// Its section, a heading of the third level.
    pub(crate) section: &'a str,
    /// The number or the name.
    pub(crate) name: &'a str,
    /// Whether the row says that Croupier departs from the document.
    pub(crate) departs: bool,
    /// The tests that enforce it; none for a clause that is only about paper.
    pub(crate) tests: Vec<Test<'a>>,
    /// Quotes from those tests that show it, word for word.
    pub(crate) quotes: Vec<String>,
}

/// A test that the page names, as in `rules/tests/rounds.rs::a_card_is_dealt_once`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Test<'a> {
    /// The crate's folder in `crates/`, or `web`.
    pub(crate) folder: &'a str,
    /// The file in it.
    pub(crate) file: &'a str,
    /// The function, or the title of a page test.
    pub(crate) name: &'a str,
}

impl<'a> Test<'a> {
    fn read(written: &'a str) -> Option<Self> {
        let (path, name) = written.split_once("::")?;
        let (folder, file) = path.split_once('/')?;
        let test = Self { folder, file, name };
        let plain = |part: &str| !part.is_empty() && !part.contains([' ', ':']);
        let known = if test.is_of_the_page() {
            file.starts_with("tests/") && file.ends_with(".test.js") && !name.trim().is_empty()
        } else {
            let known = file.starts_with("tests/") || file.starts_with("src/");
            known && file.strip_suffix(".rs").is_some() && plain(name)
        };
        (plain(folder) && plain(file) && known).then_some(test)
    }

    /// Returns whether it is a page test, which `node` runs.
    pub(crate) fn is_of_the_page(&self) -> bool {
        self.folder == "web"
    }
}

impl std::fmt::Display for Test<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}::{}", self.folder, self.file, self.name)
    }
}

/// Reads all clauses of the page.
///
/// # Errors
///
/// Every row that doesn't have four cells, names no test, names a test in another form, or has no
/// quote, and every clause that appears twice.
pub(crate) fn read(page: &str) -> Result<Vec<Clause<'_>>, Vec<String>> {
    let (mut document, mut section) = ("", "");
    let mut clauses: Vec<Clause<'_>> = Vec::new();
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(page.lines()) {
        if let Some(heading) = line.strip_prefix("## ") {
            (document, section) = (heading, "");
        } else if let Some(heading) = line.strip_prefix("### ") {
            section = heading;
        }
        if !line.starts_with('|') || line == HEAD || line == RULE {
            continue;
        }
        match row(line) {
            Ok(clause) => {
                let clause = Clause { document, section, ..clause };
                let same = |other: &Clause<'_>| {
                    (other.document, other.section, other.name) == (document, section, clause.name)
                };
                if clauses.iter().any(same) {
                    let repeated = format!("{document}, {section} {}", clause.name);
                    faults.push(format!("line {number}: {repeated} appears twice"));
                }
                clauses.push(clause);
            }
            Err(fault) => faults.push(format!("line {number}: {fault}")),
        }
    }
    if faults.is_empty() { Ok(clauses) } else { Err(faults) }
}

/// Reads a row: the clause, its text, the tests that enforce it, and the quotes that show it.
fn row(line: &str) -> Result<Clause<'_>, String> {
    let ["", name, says, held, shown, ""] = cells(line)[..] else {
        return Err("a row has four cells".to_owned());
    };
    if name.is_empty() || says.is_empty() || held.is_empty() {
        return Err(format!("{name:?} has no text or no test"));
    }
    let departs = says.contains("Departure:");
    let clause = |tests, quotes| Clause { document: "", section: "", name, departs, tests, quotes };
    if let Some(reason) = held.strip_prefix("paper:") {
        return match (reason.trim(), shown) {
            ("", _) => Err(format!("{name:?} has no reason")),
            (_, "–") => Ok(clause(Vec::new(), Vec::new())),
            _ => Err(format!("{name:?} is about paper, so it quotes no test")),
        };
    }
    let inner = held.strip_prefix('`').and_then(|held| held.strip_suffix('`'));
    let inner = inner.ok_or_else(|| format!("{held} is not `crate/file::name`"))?;
    let test = |text| Test::read(text).ok_or_else(|| format!("`{text}` is not `crate/file::name`"));
    let tests = inner.split("`, `").map(test).collect::<Result<_, _>>()?;
    Ok(clause(tests, quotes(name, shown)?))
}

/// Splits a row at the bars that are not part of its text.
fn cells(line: &str) -> Vec<&str> {
    let (mut cells, mut start) = (Vec::new(), 0);
    for (at, _) in line.match_indices('|') {
        if !line[..at].ends_with('\\') {
            cells.push(line[start..at].trim());
            start = at + 1;
        }
    }
    cells.push(line[start..].trim());
    cells
}

/// Returns the quotes in a cell, which are between backticks.
fn quotes(name: &str, shown: &str) -> Result<Vec<String>, String> {
    if !shown.matches('`').count().is_multiple_of(2) {
        return Err(format!("{name:?} has an unclosed quote"));
    }
    let between = shown.split('`').skip(1).step_by(2);
    let quotes: Vec<String> = between.map(|quote| quote.replace("\\|", "|")).collect();
    match quotes.iter().find(|quote| quote.chars().count() < SHORTEST_QUOTE) {
        _ if quotes.is_empty() => Err(format!("{name:?} has no quote")),
        Some(short) => Err(format!("{name:?} quotes {short:?}, which is too short")),
        None => Ok(quotes),
    }
}
