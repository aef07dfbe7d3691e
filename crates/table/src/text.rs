//! What people may write: names and reasons that everybody can read, and tell from each other.

use croupier_rules::is_invisible;

/// Tells whether a table can have this name: it is part of keys and addresses, so that it is plain.
pub(crate) fn is_table_name(name: &str) -> bool {
    let fit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&name.len()) && name.bytes().all(fit)
}

/// Tells whether a name or a reason can be written down: 1 to 64 characters that can be seen, or
/// spaces between them.
pub fn is_fit(text: &str) -> bool {
    (1..=64).contains(&text.chars().count())
        && text.trim() == text
        && !text.chars().any(is_invisible)
}
