//! Error messages for text that is not in the form of a record.

use serde_json::Error;

use super::{RecordError, RecordText};

/// Returns the error for a text that could not be read: where the fault is, and how to fix it.
///
/// Tracking the position costs time, so the text is read a second time for it.
pub(super) fn malformed(written: &str, error: &Error) -> RecordError {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
    if !error.is_data() {
        // A file of many records counts its own lines, and each record is one of them.
        let place = match error.line() {
            _ if !written.contains('\n') => format!("at column {}", error.column()),
            line => format!("on its line {line}, at column {}", error.column()),
        };
        return RecordError::new("", format!("this is not JSON: {message} {place}"));
    }
    let mut json = serde_json::Deserializer::from_str(written);
    let tracked = serde_path_to_error::deserialize::<_, RecordText>(&mut json).err();
    let path = tracked.map(|error| error.path().to_string()).filter(|path| path != ".");
    let path = path.unwrap_or_default();
    let of_field = |name: &str| {
        let name = name.trim_matches('`');
        if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
    };
    if let Some(name) = message.strip_prefix("missing field ") {
        return RecordError::new(of_field(name), "it is missing");
    }
    if let Some(name) = message.strip_prefix("duplicate field ") {
        return RecordError::new(of_field(name), "it appears twice");
    }
    RecordError::new(path, instead(message).unwrap_or_else(|| message.to_owned()))
}

/// Returns what to write instead of a value of the wrong kind.
fn instead(message: &str) -> Option<String> {
    let kinds = ["invalid type: ", "invalid value: "];
    let wrong = kinds.iter().find_map(|kind| message.strip_prefix(kind))?;
    let (found, expected) = wrong.rsplit_once(", expected ")?;
    let found = match found {
        "map" => "an object",
        "sequence" => "a list",
        _ => {
            let bare = ["integer ", "floating point ", "boolean ", "string "]
                .iter()
                .find_map(|kind| found.strip_prefix(kind));
            bare.unwrap_or(found).trim_matches('`')
        }
    };
    let expected = match expected {
        "a sequence" => "a list",
        "u32" | "usize" => "a small whole number",
        _ => expected,
    };
    Some(format!("write {expected}, not {found}"))
}
