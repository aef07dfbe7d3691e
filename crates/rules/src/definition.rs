//! Houses and pay tables as written, not checked yet.
//!
//! A definition is read field by field, and every fault is recorded with its line, so that a file
//! with three mistakes gets three messages at once, not one at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use thiserror::Error;
use toml::de::{DeTable, DeValue};

use crate::closed_set::ClosedSet;

/// A fault in a definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The line, counted from one, if the definition was written in lines.
    pub line: Option<usize>,
    /// The field, such as `limits.unit`; empty if the fault isn't about a single field.
    pub field: String,
    /// The fault and its fix.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// All faults of a definition, from the first line to the last, then those without a line. There
/// is at least one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Returns the faults, in the order of their lines.
    pub fn all(&self) -> &[Fault] {
        &self.0
    }

    /// Returns the value if it has no faults.
    pub(crate) fn none_or<T>(mut faults: Vec<Fault>, value: Option<T>) -> Result<T, Self> {
        match value {
            Some(value) if faults.is_empty() => Ok(value),
            _ => {
                assert!(!faults.is_empty(), "a missing value has a fault");
                faults.sort_by(|one, other| {
                    let key = |fault: &Fault| (fault.line.is_none(), fault.line);
                    key(one).cmp(&key(other)).then_with(|| one.cmp(other))
                });
                faults.dedup();
                Err(Self(faults))
            }
        }
    }
}

/// A value and the line it was written on.
#[derive(Clone, Debug)]
struct Entry {
    line: Option<usize>,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Text(String),
    Number(i64),
    Flag(bool),
    List(Vec<Entry>),
    Table(BTreeMap<String, Entry>),
    /// A value of a kind that no definition has, by the name of its kind.
    Other(&'static str),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Number(_) => "a whole number",
            Self::Flag(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }
}

/// A definition being read. Fields are named by their path, such as `limits.unit`.
#[derive(Debug)]
pub(crate) struct Definition {
    root: Entry,
    read: BTreeSet<String>,
    /// The fields that could not be read. A stand-in took the place of each.
    unknown: BTreeSet<String>,
    faults: Vec<Fault>,
    /// Faults that make it unreadable as a definition. If there are any, only they are reported.
    broken: Vec<Fault>,
}

impl Definition {
    /// Takes a definition written in TOML. If it isn't TOML, that is its only fault.
    pub(crate) fn from_toml(text: &str) -> Self {
        let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        let (table, errors) = DeTable::parse_recoverable(text);
        let broken = errors.iter().map(|error| Fault {
            line: error.span().map(|span| line_of(span.start)),
            field: String::new(),
            message: format!("this is not TOML: {}", error.message()),
        });
        let root = Entry { line: None, value: toml_table(table.get_ref(), &line_of) };
        Self::new(root, broken.collect())
    }

    /// Takes a definition written in JSON.
    pub(crate) fn from_json(value: &serde_json::Value) -> Self {
        Self::new(json_entry(value), Vec::new())
    }

    fn new(root: Entry, broken: Vec<Fault>) -> Self {
        let (read, unknown, faults) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        Self { root, read, unknown, faults, broken }
    }

    /// Records a fault in a field.
    pub(crate) fn fault(&mut self, path: &str, message: impl Into<String>) {
        // A missing field is reported on the line of the table that should hold it.
        let line = self.find(path).and_then(|entry| entry.line).or_else(|| {
            let (table, _) = path.rsplit_once('.')?;
            self.find(table)?.line
        });
        self.faults.push(Fault { line, field: path.to_owned(), message: message.into() });
    }

    /// Tells whether a field is present.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// Marks a field as read when its meaning depends on another field that is wrong.
    pub(crate) fn skip(&mut self, path: &str) {
        self.read.insert(path.to_owned());
    }

    /// Reads a field with one of the functions below, or with another that records a fault if it
    /// returns `None`. Then the stand-in is returned instead, and the field is not
    /// [known](Self::knows).
    pub(crate) fn read_or<T>(
        &mut self,
        stand_in: T,
        path: &str,
        read: impl FnOnce(&mut Self, &str) -> Option<T>,
    ) -> T {
        read(self, path).unwrap_or_else(|| {
            self.unknown.insert(path.to_owned());
            stand_in
        })
    }

    /// Tells whether no stand-in took the place of these fields. A check asks this of the fields
    /// it looks at.
    pub(crate) fn knows(&self, paths: &[&str]) -> bool {
        paths.iter().all(|&path| !self.unknown.contains(path))
    }

    /// Tells whether no stand-in took the place of any field.
    pub(crate) fn knows_all(&self) -> bool {
        self.unknown.is_empty()
    }

    /// Reads a string.
    pub(crate) fn text(&mut self, path: &str) -> Option<String> {
        self.required(path, "a string", as_text)
    }

    /// Reads a string that isn't blank.
    pub(crate) fn filled_text(&mut self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        if text.trim().is_empty() {
            self.fault(path, "it is empty");
            return None;
        }
        // Code that prints it expects it to stay on one line.
        if text.chars().any(char::is_control) {
            self.fault(path, "it has a control character, such as a line break: write plain text");
            return None;
        }
        Some(text)
    }

    /// Reads a whole number of at least `least`.
    pub(crate) fn number(&mut self, path: &str, least: i64) -> Option<i64> {
        let number = self.required(path, "a whole number", |value| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        })?;
        if number < least {
            self.fault(path, format!("{number} is too small: it must be at least {least}"));
            return None;
        }
        Some(number)
    }

    /// Reads a small whole number above zero.
    pub(crate) fn count(&mut self, path: &str) -> Option<u32> {
        let number = self.number(path, 1)?;
        let count = u32::try_from(number).ok();
        if count.is_none() {
            self.fault(path, format!("{number} is too large"));
        }
        count
    }

    /// Reads `true` or `false`.
    pub(crate) fn flag(&mut self, path: &str) -> Option<bool> {
        self.required(path, "true or false", |value| match value {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        })
    }

    /// Reads a list of strings.
    pub(crate) fn texts(&mut self, path: &str) -> Option<Vec<String>> {
        self.required(path, "a list of strings", |value| match value {
            Value::List(list) => list
                .iter()
                .map(|entry| match &entry.value {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                })
                .collect(),
            _ => None,
        })
    }

    /// Reads a list of whole numbers.
    pub(crate) fn numbers(&mut self, path: &str) -> Option<Vec<i64>> {
        self.required(path, "a list of whole numbers", |value| match value {
            Value::List(list) => list
                .iter()
                .map(|entry| match entry.value {
                    Value::Number(number) => Some(number),
                    _ => None,
                })
                .collect(),
            _ => None,
        })
    }

    /// Reads one word of a closed set.
    pub(crate) fn word<T: ClosedSet>(&mut self, path: &str) -> Option<T> {
        let known: Vec<&str> = T::VALUES.iter().map(|value| value.id()).collect();
        let known = format!("one of {}", known.join(", "));
        let text = self.required(path, &known, as_text)?;
        let found = T::VALUES.iter().copied().find(|value| value.id() == text);
        if found.is_none() {
            self.fault(path, format!("\"{text}\" is unknown: write {known}"));
        }
        found
    }

    /// Returns the names of a table's fields, and marks the table as read.
    pub(crate) fn names(&mut self, path: &str) -> Option<Vec<String>> {
        self.required(path, "a table", |value| match value {
            Value::Table(table) => Some(table.keys().cloned().collect()),
            _ => None,
        })
    }

    /// Tells whether a field is known and has no faults so far.
    pub(crate) fn is_good(&self, path: &str) -> bool {
        self.knows(&[path]) && self.faults.iter().all(|fault| fault.field != path)
    }

    /// Returns the value that was read, if the definition has no faults. An unknown field is a
    /// fault too: it is usually a misspelling.
    pub(crate) fn finish<T>(mut self, value: Option<T>) -> Result<T, Faults> {
        if !self.broken.is_empty() {
            return Faults::none_or(self.broken, None);
        }
        collect_unknown(&self.root, "", &self.read, &mut self.faults);
        Faults::none_or(self.faults, value)
    }

    /// Records the reasons a readable definition is not admitted.
    pub(crate) fn refuse(&mut self, found: Vec<(&'static str, String)>) {
        for (field, message) in found {
            self.fault(field, message);
        }
    }

    /// Returns a value read from the definition earlier, if no fault has been recorded since.
    pub(crate) fn refused_or<T>(self, value: T) -> Result<T, Faults> {
        Faults::none_or(self.faults, Some(value))
    }

    fn find(&self, path: &str) -> Option<&Entry> {
        path.split('.').try_fold(&self.root, |entry, name| match &entry.value {
            Value::Table(table) => table.get(name),
            _ => None,
        })
    }

    fn required<T>(
        &mut self,
        path: &str,
        kind: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        self.read.insert(path.to_owned());
        if let Some((parent, _)) = path.rsplit_once('.') {
            let table = self.find(parent).map(|entry| matches!(entry.value, Value::Table(_)));
            match table {
                Some(true) => {}
                Some(false) => {
                    self.fault(parent, "write a table");
                    return None;
                }
                None => {
                    self.fault(parent, "it is missing: write a table");
                    return None;
                }
            }
        }
        let Some(entry) = self.find(path) else {
            self.fault(path, format!("it is missing: write {kind}"));
            return None;
        };
        let (found, value) = (entry.value.kind(), read(&entry.value));
        if value.is_none() {
            self.fault(path, format!("it is {found} and should be {kind}"));
        }
        value
    }
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// Records the unknown fields.
fn collect_unknown(entry: &Entry, path: &str, read: &BTreeSet<String>, faults: &mut Vec<Fault>) {
    let Value::Table(table) = &entry.value else { return };
    for (name, entry) in table {
        // A name with a dot in it is not a path, although it looks like one.
        let name = if name.contains('.') { format!("{name:?}") } else { name.clone() };
        let path = if path.is_empty() { name } else { format!("{path}.{name}") };
        let inside = format!("{path}.");
        if read.iter().any(|read| read.starts_with(&inside)) {
            collect_unknown(entry, &path, read, faults);
        } else if !read.contains(&path) {
            let message = "there is no such field".to_owned();
            faults.push(Fault { line: entry.line, field: path, message });
        }
    }
}

fn toml_table(table: &DeTable<'_>, line_of: &impl Fn(usize) -> usize) -> Value {
    let entries = table.iter().map(|(name, value)| {
        let line = Some(line_of(name.span().start));
        (name.get_ref().to_string(), Entry { line, ..toml_entry(value.get_ref(), line_of) })
    });
    Value::Table(entries.collect())
}

fn toml_entry(value: &DeValue<'_>, line_of: &impl Fn(usize) -> usize) -> Entry {
    let value = match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or(Value::Other("a number that is too large"), Value::Number),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Array(list) => {
            Value::List(list.iter().map(|item| toml_entry(item.get_ref(), line_of)).collect())
        }
        DeValue::Table(table) => toml_table(table, line_of),
        DeValue::Float(_) => Value::Other("a number with a fraction"),
        DeValue::Datetime(_) => Value::Other("a date"),
    };
    Entry { line: None, value }
}

fn json_entry(value: &serde_json::Value) -> Entry {
    use serde_json::Value as Json;
    let value = match value {
        Json::String(text) => Value::Text(text.clone()),
        Json::Number(number) => {
            let other = if number.is_u64() {
                "a number that is too large"
            } else {
                "a number that is not whole"
            };
            number.as_i64().map_or(Value::Other(other), Value::Number)
        }
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Array(list) => Value::List(list.iter().map(json_entry).collect()),
        Json::Object(table) => Value::Table(
            table.iter().map(|(name, value)| (name.clone(), json_entry(value))).collect(),
        ),
        Json::Null => Value::Other("nothing"),
    };
    Entry { line: None, value }
}
