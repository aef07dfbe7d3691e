//! One way to write a piece of JSON, so that two people take the fingerprint of the same bytes.

use std::fmt::Write as _;

use serde_json::Value;

/// Writes JSON in its one canonical form: fields in the order of their names, no space between
/// anything. This is RFC 8785 for what records are made of: texts, whole numbers, truths, lists and
/// objects.
pub(crate) fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut named: Vec<(&String, &Value)> = fields.iter().collect();
            named.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (place, (name, value)) in named.into_iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                quote(name, text);
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
        Value::Array(list) => {
            text.push('[');
            for (place, value) in list.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                write(value, text);
            }
            text.push(']');
        }
        Value::String(quoted) => quote(quoted, text),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            write!(text, "{value}").expect("a String takes everything");
        }
    }
}

fn quote(quoted: &str, text: &mut String) {
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if quoted.bytes().all(plain) {
        text.push('"');
        text.push_str(quoted);
        text.push('"');
    } else {
        write!(text, "{}", Value::from(quoted)).expect("a String takes everything");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_go_by_their_names_and_nothing_stands_between() {
        let value = json!({"b": [1, -2, true, null], "a": {"z": "ä\u{1}\"\\", "": "plain"}});
        assert_eq!(
            canonical(&value),
            r#"{"a":{"":"plain","z":"ä\u0001\"\\"},"b":[1,-2,true,null]}"#
        );
    }
}
