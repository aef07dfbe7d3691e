//! The page `docs/rulebook/clauses.md`, read strictly: whatever is not in its form is a fault.

/// A clause of a document, as the page has it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Clause<'a> {
    /// The document, a heading of the second level.
    pub(crate) document: &'a str,
    /// Its section, a heading of the third level.
    pub(crate) section: &'a str,
    /// The number or the name.
    pub(crate) name: &'a str,
    /// The tests that hold it; none for a clause that is about paper only.
    pub(crate) tests: Vec<Test<'a>>,
}

/// A test that the page names, as in `rules/tests/rounds.rs::a_card_is_dealt_once`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Test<'a> {
    /// The crate's folder in `crates/`.
    pub(crate) folder: &'a str,
    /// The file in it.
    pub(crate) file: &'a str,
    /// The function.
    pub(crate) function: &'a str,
}

impl<'a> Test<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (path, function) = text.split_once("::")?;
        let (folder, file) = path.split_once('/')?;
        let name = |text: &str| !text.is_empty() && !text.contains([' ', ':', '`']);
        let known = file.starts_with("tests/") || file.starts_with("src/");
        let known = known && file.strip_suffix(".rs").is_some();
        (name(folder) && name(file) && name(function) && known).then_some(Self {
            folder,
            file,
            function,
        })
    }
}

/// Reads all clauses of the page.
///
/// # Errors
///
/// Every row that has not its three cells, names nothing, or names a test in another form, and
/// every clause that is there twice.
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
        let is_row = line.starts_with('|') && line != "| clause | what it says | held by |";
        if !is_row || line == "|---|---|---|" {
            continue;
        }
        match row(line) {
            Ok((name, tests)) => {
                let clause = Clause { document, section, name, tests };
                let same = |other: &Clause<'_>| {
                    (other.document, other.section, other.name) == (document, section, name)
                };
                if clauses.iter().any(same) {
                    faults.push(format!("line {number}: {document}, {section} {name} again"));
                }
                clauses.push(clause);
            }
            Err(fault) => faults.push(format!("line {number}: {fault}")),
        }
    }
    if faults.is_empty() { Ok(clauses) } else { Err(faults) }
}

/// Reads a row: the clause, what it says, and what holds it.
fn row(line: &str) -> Result<(&str, Vec<Test<'_>>), String> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let ["", name, says, held, ""] = cells[..] else {
        return Err("a row has three cells".to_owned());
    };
    if name.is_empty() || says.is_empty() || held.is_empty() {
        return Err(format!("{name:?} says nothing, or nothing holds it"));
    }
    if let Some(reason) = held.strip_prefix("paper:") {
        let known = !reason.trim().is_empty();
        return if known { Ok((name, Vec::new())) } else { Err(format!("{name:?} has no reason")) };
    }
    let test = |text| {
        let inner = str::strip_prefix(text, "`").and_then(|text| text.strip_suffix('`'));
        inner.and_then(Test::read).ok_or_else(|| format!("{text} is not `crate/file::name`"))
    };
    let tests = held.split(", ").map(test).collect::<Result<_, _>>()?;
    Ok((name, tests))
}
