//! The subset of JSON Schema that our schemas use. An unknown keyword is an error, so that no
//! constraint is skipped.
//!
//! A validator from elsewhere would make the tests run a different JSON parser than the program: it
//! switches on features of `serde_json`.

use regex_lite::Regex;
use serde_json::{Map, Value};

/// Returns the schema of the round record.
pub fn record_schema() -> Value {
    serde_json::from_str(include_str!("../../docs/record.schema.json")).expect("JSON")
}

/// Returns where and how a value violates a schema.
///
/// # Panics
///
/// If the schema uses a keyword that is not known here.
pub fn schema_faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    Validator { root: schema, faults: &mut faults }.look(schema, value, "");
    faults
}

struct Validator<'a> {
    root: &'a Value,
    faults: &'a mut Vec<String>,
}

impl Validator<'_> {
    fn look(&mut self, schema: &Value, value: &Value, path: &str) {
        for (word, wanted) in schema.as_object().expect("a schema is an object") {
            if !self.holds(schema, word, wanted, value, path) {
                self.faults.push(format!("{path}: {value} is not {word} {wanted}"));
            }
        }
    }

    /// Returns how many of a list of schemas a value fits.
    fn fits(&self, choices: &Value, value: &Value, path: &str) -> usize {
        let choices = choices.as_array().expect("schemas").iter();
        let fits = choices.filter(|choice| {
            let mut faults = Vec::new();
            Validator { root: self.root, faults: &mut faults }.look(choice, value, path);
            faults.is_empty()
        });
        fits.count()
    }

    /// Returns whether a keyword's constraint holds. Faults in nested values are recorded there.
    fn holds(
        &mut self,
        schema: &Value,
        word: &str,
        wanted: &Value,
        value: &Value,
        path: &str,
    ) -> bool {
        let number =
            || wanted.as_u64().and_then(|count| usize::try_from(count).ok()).expect("size");
        match word {
            "$schema" | "$defs" | "components" | "title" | "description" | "example"
            | "examples" | "format" => true,
            "$ref" => {
                let pointer = wanted.as_str().and_then(|text| text.strip_prefix('#'));
                let target = self.root.pointer(pointer.expect("a place in the schema"));
                let target = target.unwrap_or_else(|| panic!("{wanted} does not exist"));
                self.look(target, value, path);
                true
            }
            "anyOf" => self.fits(wanted, value, path) > 0,
            "oneOf" => self.fits(wanted, value, path) == 1,
            "type" => match wanted {
                Value::Array(types) => types.iter().any(|wanted| has_type(value, wanted)),
                wanted => has_type(value, wanted),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().expect("values").contains(value),
            "minimum" => value.as_i64().is_none_or(|found| found >= wanted.as_i64().expect("i64")),
            "maximum" => value.as_i64().is_none_or(|found| found <= wanted.as_i64().expect("i64")),
            "minLength" => value.as_str().is_none_or(|text| text.chars().count() >= number()),
            "pattern" => {
                let pattern = Regex::new(wanted.as_str().expect("a text")).expect("a pattern");
                value.as_str().is_none_or(|text| pattern.is_match(text))
            }
            "minItems" => value.as_array().is_none_or(|list| list.len() >= number()),
            "maxItems" => value.as_array().is_none_or(|list| list.len() <= number()),
            "uniqueItems" => value.as_array().is_none_or(|list| {
                (0..list.len()).all(|index| !list[..index].contains(&list[index]))
            }),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.look(wanted, item, &format!("{path}/{index}"));
                }
                true
            }
            "required" => value.as_object().is_none_or(|fields| {
                let mut names = wanted.as_array().expect("names").iter();
                names.all(|name| fields.contains_key(name.as_str().expect("a name")))
            }),
            "properties" => {
                for (name, field) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = wanted.get(name) {
                        self.look(schema, field, &format!("{path}/{name}"));
                    }
                }
                true
            }
            "additionalProperties" => {
                let others = value.as_object().into_iter().flatten();
                let mut others = others.filter(|(name, _)| !has_property(schema, name));
                if wanted == false {
                    return others.next().is_none();
                }
                others
                    .for_each(|(name, field)| self.look(wanted, field, &format!("{path}/{name}")));
                true
            }
            "propertyNames" => {
                for name in value.as_object().into_iter().flat_map(Map::keys) {
                    self.look(wanted, &Value::from(name.as_str()), path);
                }
                true
            }
            _ => panic!("the validator does not know {word}: {wanted}"),
        }
    }
}

fn has_property(schema: &Value, name: &str) -> bool {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|known: &Map<String, Value>| known.contains_key(name))
}

fn has_type(value: &Value, wanted: &Value) -> bool {
    match wanted.as_str().expect("a type") {
        "null" => value.is_null(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        wanted => panic!("the validator does not know the type {wanted}"),
    }
}
