//! Rules for names and reasons: every reader can read them, and can tell them apart.

use croupier_rules::is_invisible;

/// Tells whether a table can have this name. It is part of keys and URLs, so it is plain ASCII.
pub(crate) fn is_table_name(name: &str) -> bool {
    let fit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&name.len()) && name.bytes().all(fit)
}

/// Tells whether a table accepts a name or a reason: 1 to 64 visible characters, with spaces
/// allowed between them.
pub fn is_valid_text(text: &str) -> bool {
    (1..=64).contains(&text.chars().count())
        && text.trim() == text
        && !text.chars().any(is_invisible)
}
