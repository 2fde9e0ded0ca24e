//! Dates as records write them.

/// A date as a number that sorts by time: year, month and day, missing ones as 0. `None`: the text
/// is no date. `03/04/2025` is not one, because countries read it differently.
pub(super) fn date_key(text: &str) -> Option<(u32, u32, u32)> {
    let text = text.trim();
    let date = text.split(['T', ' ']).next().unwrap_or(text);
    let parts: Vec<&str> = date.split(['-', '/', '.']).collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !parts.iter().all(digits) {
        return None;
    }
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let number = |text: &str| text.parse::<u32>().ok();
    let at = |at: usize| number(parts[at]);
    let (year, month, day) = match lengths[..] {
        [4] => (at(0)?, 0, 0),
        [8] => {
            let [year, month, day] = [0..4, 4..6, 6..8].map(|range| number(&date[range]));
            (year?, month?, day?)
        }
        [4, 1 | 2] => (at(0)?, at(1)?, 0),
        [4, 1 | 2, 1 | 2] => (at(0)?, at(1)?, at(2)?),
        [1 | 2, 1 | 2, 4] if date.contains('.') => (at(2)?, at(1)?, at(0)?),
        _ => return None,
    };
    (month <= 12 && day <= 31).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(u32, u32, u32)>) {
        assert_eq!(date_key(text), expected, "{text}");
    }

    #[test]
    fn dates_are_read_in_the_usual_forms() {
        check("2025-03-04", Some((2025, 3, 4)));
        check("2025/3/4", Some((2025, 3, 4)));
        check("20250304", Some((2025, 3, 4)));
        check("2025-03-04T19:30:00Z", Some((2025, 3, 4)));
        check("4.3.2025", Some((2025, 3, 4)));
        check("2025-03", Some((2025, 3, 0)));
        check("2025", Some((2025, 0, 0)));
        check("03/04/2025", None);
        check("2025-13-01", None);
        check("20251301", None);
        check("", None);
        check("March", None);
        check("-", None);
        check("99999999999", None);
    }
}
