//! The command line that analyses a position with this program, to be pasted into a shell.

use crate::engine::{Options, PlayedMove};
use crate::rules::PartialRack;
use serde_json::json;

/// The command for a position in CGP. A rack that is partly known is searched in JSON mode, which
/// samples the rest; without any known tile the position is only shown.
pub(super) fn command(
    options: &Options,
    cgp: &str,
    rack: &PartialRack,
    played: &PlayedMove,
) -> String {
    let set = changed_options(options);
    let named = played.turn.map(|_| &played.text);
    if rack.unknown > 0 && !rack.known.is_empty() {
        let option = |(name, value): &(&str, &String)| {
            json!({"id": name, "action": "setoption", "name": name, "value": value}).to_string()
        };
        let query =
            json!({"id": "turn", "cgp": cgp, "alsosearchmoves": named.iter().collect::<Vec<_>>()});
        let lines = set.iter().map(option).chain([query.to_string()]);
        return piped(lines, "cazique --json");
    }
    let option = |(name, value): &(&str, &String)| format!("setoption name {name} value {value}");
    let go = match (rack.unknown, named) {
        (1.., _) => "show".to_string(),
        (0, Some(code)) => format!("go alsosearchmoves {code}"),
        (0, None) => "go".to_string(),
    };
    let position = format!("position cgp {cgp}");
    piped(set.iter().map(option).chain([position, go]), "cazique")
}

/// The options about files that differ from their defaults: a position names files, but not where
/// they are.
fn changed_options(options: &Options) -> Vec<(&'static str, &String)> {
    let default = Options::default();
    let named = [
        ("DataPath", &options.data_path, default.data_path),
        ("Lexicon", &options.lexicon, default.lexicon),
        ("Leaves", &options.leaves, default.leaves),
        ("WinPctTable", &options.win_table, default.win_table),
    ];
    let changed = named
        .into_iter()
        .filter(|(_, value, default)| *value != default);
    changed.map(|(name, value, _)| (name, value)).collect()
}

/// A shell command that sends lines to a program.
fn piped(lines: impl Iterator<Item = String>, program: &str) -> String {
    let quoted: Vec<String> = lines.map(|line| quoted(&line)).collect();
    format!("printf '%s\\n' {} | {program}", quoted.join(" "))
}

/// A text as one word of a shell. Between single quotes all characters stand for themselves but the
/// single quote.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_lines_as_they_are() {
        let lines = ["position cgp a; b", "don't $PATH `x` \"y\""].map(String::from);
        assert_eq!(
            piped(lines.into_iter(), "cazique"),
            r#"printf '%s\n' 'position cgp a; b' 'don'\''t $PATH `x` "y"' | cazique"#
        );
    }
}
