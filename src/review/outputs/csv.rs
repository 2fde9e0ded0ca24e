//! Tables as comma-separated values by RFC 4180, safe to open in a spreadsheet.

use std::fmt::Display;

/// What a cell begins with if a spreadsheet may take it for a formula.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A table in the making. Figures are written as they are, texts are made safe.
pub(in crate::review) struct CsvTable {
    text: String,
    /// Whether the row so far is empty.
    is_first: bool,
}

impl CsvTable {
    /// A table with a header.
    pub fn new(header: &[&str]) -> CsvTable {
        let mut table = CsvTable {
            text: String::new(),
            is_first: true,
        };
        header.iter().for_each(|name| table.text(name));
        table.end_row();
        table
    }

    /// Adds a cell with text from outside.
    pub fn text(&mut self, text: &str) {
        let is_formula = text.starts_with(FORMULA_STARTS);
        let safe = format!("{}{text}", if is_formula { "'" } else { "" });
        let needs_quotes = safe.contains([',', '"', '\n', '\r', ';', '\t']);
        match needs_quotes {
            true => self.cell(&format!("\"{}\"", safe.replace('"', "\"\""))),
            false => self.cell(&safe),
        }
    }

    /// Adds a cell with a figure; empty without one.
    pub fn figure(&mut self, figure: Option<impl Display>) {
        match figure {
            Some(figure) => self.cell(&figure.to_string()),
            None => self.cell(""),
        }
    }

    /// Adds a cell with a figure of two decimals.
    pub fn decimal(&mut self, figure: Option<f64>) {
        // No cell is "-0.00".
        let rounded = figure.map(|figure| (figure * 100.0).round() / 100.0 + 0.0);
        self.figure(rounded.map(|figure| format!("{figure:.2}")));
    }

    fn cell(&mut self, text: &str) {
        if !std::mem::take(&mut self.is_first) {
            self.text.push(',');
        }
        self.text.push_str(text);
    }

    /// Ends a row.
    pub fn end_row(&mut self) {
        self.text.push_str("\r\n");
        self.is_first = true;
    }

    /// The table as text.
    pub fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut table = CsvTable::new(&[]);
        table.text(text);
        assert_eq!(table.finish().trim_start(), expected);
    }

    #[test]
    fn a_text_is_quoted_and_is_no_formula() {
        check("Ann Lee", "Ann Lee");
        check("Lee, Ann", "\"Lee, Ann\"");
        check("Ann \"the Q\" Lee", "\"Ann \"\"the Q\"\" Lee\"");
        check("one\ntwo", "\"one\ntwo\"");
        check(
            "=HYPERLINK(\"http://x\")",
            "\"'=HYPERLINK(\"\"http://x\"\")\"",
        );
        check("+1", "'+1");
        check("-1", "'-1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("\t=1", "\"'\t=1\"");
        check("a=b", "a=b");
    }

    #[test]
    fn figures_are_plain() {
        let mut table = CsvTable::new(&["a", "b", "c", "d"]);
        table.figure(Some(-12));
        table.decimal(Some(-0.001));
        table.decimal(Some(-1.005));
        table.figure(None::<i32>);
        table.end_row();
        assert_eq!(table.finish(), "a,b,c,d\r\n-12,0.00,-1.00,\r\n");
    }
}
