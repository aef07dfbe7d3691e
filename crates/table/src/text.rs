//! What people may write: names and reasons that everybody can read, and tell from each other.

/// Tells whether a table can have this name: it is part of keys and addresses, so that it is plain.
pub(crate) fn is_table_name(name: &str) -> bool {
    let fit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&name.len()) && name.bytes().all(fit)
}

/// Tells whether a name or a reason can be written down: 1 to 64 characters that can be seen, or
/// spaces between them.
pub fn is_fit(text: &str) -> bool {
    let space = |character: char| character.is_whitespace() && character != ' ';
    let invisible =
        |character: char| character.is_control() || space(character) || is_format(character);
    (1..=64).contains(&text.chars().count()) && text.trim() == text && !text.chars().any(invisible)
}

/// Tells whether a character has no look of its own, or only changes how others look: such a name
/// could pass for another, or for none.
const fn is_format(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}
