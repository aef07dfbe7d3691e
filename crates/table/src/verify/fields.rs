//! Reading of JSON with errors that say what is wrong, and where.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Unverified;
use crate::hash::HexError;
use crate::time::Time;

/// The fields of an object, and its path in the record.
pub(super) struct Fields<'a> {
    path: &'a str,
    fields: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// Reads an object that has no other fields than these.
    pub(super) fn of(path: &'a str, value: &'a Value, known: &[&str]) -> Result<Self, Unverified> {
        let Some(fields) = value.as_object() else {
            let message = format!("write an object with {}", known.join(", "));
            return Err(Unverified::new(path, message));
        };
        let this = Self { path, fields };
        match fields.keys().find(|name| !known.contains(&name.as_str())) {
            Some(unknown) => Err(this.wrong(unknown, super::NOT_WRITTEN)),
            None => Ok(this),
        }
    }

    /// Returns a fault in a field.
    pub(super) fn wrong(&self, name: &str, message: impl Into<String>) -> Unverified {
        Unverified::new(format!("{}.{name}", self.path), message)
    }

    fn get<T>(
        &self,
        name: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
        instead: &str,
    ) -> Result<T, Unverified> {
        let value = self.fields.get(name).ok_or_else(|| self.wrong(name, "it is missing"))?;
        read(value).ok_or_else(|| self.wrong(name, instead))
    }

    pub(super) fn text(&self, name: &str) -> Result<&'a str, Unverified> {
        self.get(name, Value::as_str, "write a string")
    }

    pub(super) fn list(&self, name: &str) -> Result<&'a [Value], Unverified> {
        self.get(name, |value| value.as_array().map(Vec::as_slice), "write a list")
    }

    pub(super) fn whole(&self, name: &str) -> Result<u64, Unverified> {
        self.get(name, Value::as_u64, "write a whole number")
    }

    pub(super) fn time(&self, name: &str) -> Result<Time, Unverified> {
        let millis = self.get(name, Value::as_i64, "write a whole number of milliseconds");
        millis.map(Time::from_millis)
    }

    /// Reads hexadecimal digits.
    pub(super) fn hex<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, HexError>,
    ) -> Result<T, Unverified> {
        read(self.text(name)?).map_err(|error| self.wrong(name, error.to_string()))
    }
}

/// Reads JSON without null, and without duplicate names in an object.
pub(super) fn plain(text: &str) -> Result<Value, Unverified> {
    let text = text.trim();
    let mut fault = None;
    let walk = Walk { path: String::new(), fault: &mut fault };
    let walked = walk.deserialize(&mut serde_json::Deserializer::from_str(text));
    if let Some(fault) = fault {
        return Err(fault);
    }
    let wrong =
        |error: serde_json::Error| Unverified::new("", format!("this is not JSON: {error}"));
    walked.map_err(wrong)?;
    serde_json::from_str(text).map_err(wrong)
}

/// A walk through JSON that keeps track of its path, and of the first fault.
struct Walk<'a> {
    path: String,
    fault: &'a mut Option<Unverified>,
}

impl Walk<'_> {
    fn note(self, message: &str) {
        let Self { path, fault } = self;
        fault.get_or_insert_with(|| Unverified::new(path, message));
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.note("it is null, and no table writes null");
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.note("write a whole number");
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        for index in 0_usize.. {
            let path = format!("{}[{index}]", self.path);
            if list.next_element_seed(Walk { path, fault: self.fault })?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = object.next_key::<String>()? {
            let path = match &*self.path {
                "" => name.clone(),
                above => format!("{above}.{name}"),
            };
            let inside = Walk { path, fault: self.fault };
            if names.insert(name) {
                object.next_value_seed(inside)?;
            } else {
                inside.note("it appears twice");
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}
