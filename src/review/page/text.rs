//! Templates, escapes and hashes of pages.

use sha2::{Digest, Sha256};

/// What stands around the name of a place in a template.
const PLACE_MARKS: [&str; 2] = ["{{", "}}"];

/// The digits of base64, as RFC 4648 has them.
const BASE64_DIGITS: &[u8; 64] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Puts values into the places of a template, such as `{{title}}`. Values are not read again, so
/// that a text from a record which looks like a place stays a text. Unknown places stay empty.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let [open, close] = PLACE_MARKS;
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(open) {
        let Some((name, after)) = after.split_once(close) else {
            break;
        };
        filled.push_str(before);
        let value = values.iter().find(|(place, _)| *place == name);
        filled.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    filled + rest
}

/// A text as the content of an element or the value of an attribute.
pub(super) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\0' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON as the content of a script element. All these characters occur within strings only, where
/// an escape means the same.
pub(super) fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// The source expression of a content security policy that allows exactly this script or style.
pub(super) fn source_hash(source: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(source)))
}

/// Bytes in base64 with padding.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut bits = [0; 3];
        bits[..group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes([0, bits[0], bits[1], bits[2]]);
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            text.push(match digit <= group.len() {
                true => char::from(BASE64_DIGITS[value as usize]),
                false => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_matches_the_examples_of_rfc_4648() {
        let examples = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in examples {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn a_source_hash_is_that_of_the_specification_of_policies() {
        // The example of the specification "Content Security Policy Level 3", section 8.4.
        let hash = source_hash("doSomething();");
        assert_eq!(hash, "sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc=");
    }

    #[test]
    fn values_are_not_read_as_templates() {
        let filled = fill("{{a}}-{{b}}-{{c}}", &[("a", "{{b}}"), ("b", "{{")]);
        assert_eq!(filled, "{{b}}-{{-");
    }

    #[test]
    fn escaped_json_reads_back_as_itself() {
        let text = "</script><!-- & \u{2028}\u{2029} \" \\ '";
        let json = serde_json::to_string(text).expect("a text is JSON");
        let escaped = escape_json(&json);
        assert!(!escaped.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
    }
}
