//! Canonical JSON: one way to write a value, so two readers hash the same bytes.

use std::fmt::Write as _;

use serde_json::Value;

/// Writes JSON in canonical form: fields sorted by name, no whitespace. This is RFC 8785 for the
/// values in records: strings, whole numbers, booleans, lists and objects.
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
            write!(text, "{value}").expect("writing to a String never fails");
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
        write!(text, "{}", Value::from(quoted)).expect("writing to a String never fails");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_sorted_by_name_without_whitespace() {
        let value = json!({"b": [1, -2, true, null], "a": {"z": "ä\u{1}\"\\", "": "plain"}});
        assert_eq!(
            canonical(&value),
            r#"{"a":{"":"plain","z":"ä\u0001\"\\"},"b":[1,-2,true,null]}"#
        );
    }
}
