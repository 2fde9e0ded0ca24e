//! Records with one fault each: the first finding is that fault, at its line, whoever reads the
//! record.

use super::golden;
use crate::support::{self, repository};
use cazique::engine::Engine;
use cazique::notation::gcg::{GameRecord, ReadMode, RecordProblem};
use serde_json::{Value, json};
use std::fs;

/// A record with one fault.
struct FlawedRecord {
    /// Its line of the table.
    row: String,
    text: String,
    /// The line of the fault; 0 if it has none.
    line: usize,
    /// A part of what the first finding says.
    what: String,
}

impl FlawedRecord {
    /// Checks what a reader reports first.
    fn check(&self, first: &str) {
        let start = match self.line {
            0 => String::new(),
            line => format!("line {line}: "),
        };
        let is_right = first.starts_with(&start) && first.contains(&self.what);
        assert!(is_right, "{}\n{first}", self.row);
    }
}

/// The records of `tests/golden/gcg/flaws.txt`.
fn flawed_records() -> Vec<FlawedRecord> {
    let table = fs::read_to_string(repository("tests/golden/gcg/flaws.txt")).unwrap();
    let rows = table.lines().filter(|row| row.contains(" | "));
    rows.map(flawed_record).collect()
}

fn flawed_record(row: &str) -> FlawedRecord {
    let cells = row.split(" |");
    let cells: Vec<String> = cells
        .map(|cell| cell.strip_prefix(' ').unwrap_or(cell).replace("\\n", "\n"))
        .collect();
    let [base, part, instead, line, what] = cells.try_into().expect("five cells");
    let text = match base.as_str() {
        "none" => instead,
        base => {
            let text = String::from_utf8(golden(base)).unwrap();
            assert_eq!(text.matches(&part).count(), 1, "{row}");
            text.replace(&part, &instead)
        }
    };
    FlawedRecord {
        row: row.to_string(),
        text,
        line: line.parse().unwrap(),
        what,
    }
}

#[test]
fn the_first_finding_is_the_fault_of_the_record() {
    let flawed = flawed_records();
    assert!(flawed.len() > 90);
    for flaw in flawed {
        let mut engine = Engine::new().unwrap();
        let (record, problems) = GameRecord::parse(flaw.text.as_bytes(), ReadMode::Lenient)
            .unwrap_or_else(|problem| panic!("{}: {problem}", flaw.row));
        let first = match problems.into_iter().next() {
            Some(problem) => problem.to_string(),
            None => match engine.set_record(&record, record.turns()) {
                Ok(findings) => findings
                    .first()
                    .map_or("none".into(), RecordProblem::to_string),
                Err(error) => error.text,
            },
        };
        flaw.check(&first);
    }
}

/// What an answer of a JSON session reports first about its record.
fn first_of_json(answer: &Value) -> &str {
    match answer["error"]["text"].as_str() {
        Some(error) => error,
        None => {
            let warning = answer["warnings"][0].as_str().unwrap_or("gcg none");
            warning.strip_prefix("gcg ").unwrap_or(warning)
        }
    }
}

/// The number of flawed records between two that also go through a process of their own.
const ONE_SHOT_STEP: usize = 7;

#[test]
fn json_and_one_shot_report_the_same_first_fault() {
    let flawed = flawed_records();
    let query = |(id, flaw): (usize, &FlawedRecord)| {
        let id = id.to_string();
        json!({"id": id, "gcg": flaw.text, "mode": "gen", "candidates": 1}).to_string() + "\n"
    };
    let queries: String = flawed.iter().enumerate().map(query).collect();
    let answers = support::run(&["--json"], &queries).stdout;
    let answers = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let mut answers: Vec<Value> = answers.collect();
    // Lines that cannot be read are refused before earlier queries are answered.
    answers.sort_by_key(|answer| answer["id"].as_str().unwrap().parse::<usize>().unwrap());
    assert_eq!(answers.len(), flawed.len());
    for (at, (flaw, answer)) in flawed.iter().zip(&answers).enumerate() {
        let first = first_of_json(answer);
        flaw.check(first);
        if at % ONE_SHOT_STEP == 0 {
            let finished = support::run(&["--gcg=-", "--iterations=1"], &flaw.text);
            let line = finished.stderr.lines().next().unwrap_or_default();
            let line = line.strip_prefix("cazique: ").unwrap_or(line);
            assert!(first.starts_with(line), "{}\n{first}\n{line}", flaw.row);
        }
    }
}
