//! The description of the endpoints, and a check of responses against it.

use serde_json::Value;

/// The `OpenAPI` description of all endpoints.
pub(super) struct Description(pub(super) Value);

impl Description {
    /// Checks that a response matches the endpoint's description.
    pub(super) fn check(&self, method: &str, path: &str, status: u16, kind: &str, answer: &Value) {
        let paths = self.0["paths"].as_object().expect("paths");
        let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
        let fits = |described: &str| {
            let (described, asked) = (parts(described), parts(path));
            described.len() == asked.len()
                && described
                    .iter()
                    .zip(&asked)
                    .all(|(one, other)| one.starts_with('{') || one == other)
        };
        let found = paths.iter().find(|(described, _)| fits(described));
        let operation = &found.expect("a described path").1[method.to_lowercase()];
        assert_eq!(operation["tags"], serde_json::json!(["analysis"]));
        let response = &operation["responses"][status.to_string()];
        let schema = &response["content"][kind]["schema"];
        assert!(schema.is_object(), "{method} {path} answers {status} {kind}: {response}");
        self.check_value(answer, schema, path);
    }

    fn check_value(&self, value: &Value, schema: &Value, place: &str) {
        if let Some(named) = schema["$ref"].as_str() {
            let name = named.rsplit('/').next().expect("a name");
            let named = &self.0["components"]["schemas"][name];
            assert!(named.is_object(), "{place}: there is no schema {name}");
            return self.check_value(value, named, place);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return self.check_parts(value, parts, place);
        }
        if let Some(options) = schema["oneOf"].as_array() {
            // The tag of an object decides which of them it is.
            let fits = |option: &&Value| {
                let fields = option["properties"].as_object();
                fields.into_iter().flatten().all(|(name, field)| {
                    field["enum"].as_array().is_none_or(|known| known.contains(&value[name]))
                })
            };
            let fitting: Vec<&Value> = options.iter().filter(fits).collect();
            assert_eq!(fitting.len(), 1, "{place} is {value}");
            return self.check_value(value, fitting[0], place);
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::String(one) => vec![one],
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            _ => panic!("{place}: {schema}"),
        };
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) if types.contains(&"number") => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        assert!(types.contains(&kind), "{place} is {kind} and should be {types:?}");
        if let Some(known) = schema["enum"].as_array() {
            assert!(known.contains(value), "{place} is {value}");
        }
        match value {
            Value::Array(values) => {
                for (index, value) in values.iter().enumerate() {
                    self.check_value(value, &schema["items"], &format!("{place}[{index}]"));
                }
            }
            Value::Object(_) => self.check_parts(value, std::slice::from_ref(schema), place),
            _ => {}
        }
    }

    /// Checks that an object has all fields that any of the schemas requires, and no field that
    /// none of them has.
    fn check_parts(&self, value: &Value, schemas: &[Value], place: &str) {
        let named = |schema: &Value| match schema["$ref"].as_str() {
            Some(named) => {
                let name = named.rsplit('/').next().expect("a name");
                self.0["components"]["schemas"][name].clone()
            }
            None => schema.clone(),
        };
        let schemas: Vec<Value> = schemas.iter().map(named).collect();
        let fields = value.as_object().expect("an object");
        for required in schemas.iter().filter_map(|schema| schema["required"].as_array()).flatten()
        {
            let name = required.as_str().expect("a name");
            assert!(fields.contains_key(name), "{place} has no {name}");
        }
        let free = schemas.iter().all(|schema| schema["properties"].is_null());
        for (name, value) in fields {
            let place = format!("{place}.{name}");
            let described = schemas.iter().find_map(|schema| schema["properties"].get(name));
            let others = schemas.iter().find_map(|schema| schema.get("additionalProperties"));
            match described.or(others) {
                Some(schema) => self.check_value(value, schema, &place),
                None => assert!(free, "{place} is not described"),
            }
        }
    }
}
