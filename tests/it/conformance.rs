//! The program behaves as the protocol requires: every sentence of `tests/golden/protocol.txt` is
//! checked through a pipe. The file explains its format.

use crate::support::repository;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for a line, and for the end of a process. Chosen by hand: longer than any
/// answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The number of sentences in the file, so that none gets lost.
const SENTENCES: usize = 106;

#[test]
fn the_program_behaves_as_every_sentence_of_the_protocol_says() {
    let text = fs::read_to_string(repository("tests/golden/protocol.txt")).unwrap();
    let offer = Offer::ask();
    let cases = cases(&text);
    assert_eq!(cases.len(), SENTENCES);
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| case.run(&offer).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn a_pattern_is_compared_word_by_word() {
    let check = |pattern: &str, line: &str, expected: bool| {
        assert_eq!(matches(pattern, line), expected, "{pattern} / {line}");
    };
    check("a … b", "a b", true);
    check("a … b …", "a x b y b", true);
    check("a … b", "a b c", false);
    check("score <n> eq <x>", "score -3 eq 2.50", true);
    check("score <n>", "score 2.5", false);
    check("wp <percent>", "wp 100.00", true);
    check("wp <percent>", "wp 100.01", false);
    check("w:* x|y", "w:A|B y", true);
    check("bestmove <move>", "bestmove 8D.KNAVE", true);
    check("bestmove <move>", "bestmove ex.4", true);
    check("bestmove <move>", "bestmove none", false);
    check(
        r#"{"a": {"b": "…"}}"#,
        r#"{"a": {"b": 1, "c": 2}, "d": 3}"#,
        true,
    );
    check(r#"{"a": 1}"#, r#"{"a": 2}"#, false);
}

/// What the engine declares about itself.
struct Offer {
    capabilities: Vec<String>,
    options: Vec<String>,
}

impl Offer {
    fn ask() -> Offer {
        let mut engine = Engine::start("");
        engine.send(b"siu\n");
        engine.read_until("siuok").unwrap();
        let words = |start: &str| {
            let lines = engine.lines.iter();
            let rest = lines.filter_map(|(_, line)| line.strip_prefix(start));
            rest.map(str::to_string).collect::<Vec<_>>()
        };
        let capabilities = words("capability ").join(" ");
        let name = |option: String| option.split(" type ").next().map(str::to_string);
        Offer {
            capabilities: capabilities.split(' ').map(str::to_string).collect(),
            options: words("option name ").into_iter().filter_map(name).collect(),
        }
    }
}

/// A sentence and the steps that check it.
struct Case<'a> {
    sentence: &'a str,
    steps: Vec<&'a str>,
}

/// The cases of the file.
fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case> = Vec::new();
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in lines {
        match (line.strip_prefix("= "), cases.last_mut()) {
            (Some(sentence), _) => cases.push(Case {
                sentence,
                steps: Vec::new(),
            }),
            (None, Some(case)) => case.steps.push(line),
            (None, None) => panic!("a step before the first sentence: {line}"),
        }
    }
    cases
}

impl Case<'_> {
    fn run(&self, offer: &Offer) -> Result<(), String> {
        let start = self
            .steps
            .iter()
            .find_map(|step| step.strip_prefix("start "));
        let mut engine = Engine::start(start.unwrap_or(""));
        for step in &self.steps {
            let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
            let declared = offer.capabilities.iter().any(|declared| declared == rest);
            let has_option = offer.options.iter().any(|name| name == rest);
            let done = match word {
                "needs" if !declared => return Err(format!("{}: {step}", self.sentence)),
                "option" if !has_option => return Err(format!("{}: {step}", self.sentence)),
                "absent" => (!declared)
                    .then_some(())
                    .ok_or("it is declared".to_string()),
                "lacks" => (!has_option).then_some(()).ok_or("it is there".to_string()),
                "needs" | "option" | "start" => Ok(()),
                _ => engine.step(word, rest),
            };
            let last = engine.lines.iter().rev().take(4).map(|(_, line)| line);
            let last: Vec<_> = last.collect();
            done.map_err(|error| {
                format!(
                    "{}\n  at '{step}': {error}; last lines {last:#?}",
                    self.sentence
                )
            })?;
        }
        Ok(())
    }
}

/// A process, and what it has written.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<(Instant, String)>,
    lines: Vec<(Instant, String)>,
    /// When the last line was sent, and how many lines had been read by then.
    last_sent: (Instant, usize),
    kept: Vec<String>,
}

impl Engine {
    fn start(arguments: &str) -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_cazique"))
            .args(arguments.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, output) = channel();
        let stdout = BufReader::new(process.stdout.take().expect("a pipe"));
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send((Instant::now(), line));
            }
        });
        Engine {
            input: process.stdin.take(),
            process,
            output,
            lines: Vec::new(),
            last_sent: (Instant::now(), 0),
            kept: Vec::new(),
        }
    }

    /// Carries out a step, or says why it fails.
    fn step(&mut self, word: &str, rest: &str) -> Result<(), String> {
        match word {
            ">" => {
                self.last_sent = (Instant::now(), self.lines.len());
                self.send(&[&bytes(rest)[..], b"\n"].concat());
            }
            "<" => return self.read_until(rest),
            "sync" => {
                self.send(b"isready\n");
                return self.read_until("readyok");
            }
            "end" => self.input = None,
            "exits" => return self.wait_for_exit(),
            "wait" => thread::sleep(Duration::from_millis(rest.parse().expect("milliseconds"))),
            "within" => {
                let limit = Duration::from_millis(rest.parse().expect("milliseconds"));
                let (arrived, _) = self.lines.last().ok_or("no line")?;
                let took = arrived.saturating_duration_since(self.last_sent.0);
                return (took <= limit).then_some(()).ok_or(format!("{took:?}"));
            }
            "only" => {
                let patterns: Vec<&str> = rest.split(" || ").collect();
                let is_known = |line: &str| patterns.iter().any(|pattern| matches(pattern, line));
                let other = self.lines.iter().find(|(_, line)| !is_known(line));
                return other.map_or(Ok(()), |(_, line)| Err(line.clone()));
            }
            "keep" => self.kept = self.since_last_sent(rest),
            "same" => {
                let now = self.since_last_sent(rest);
                let agree = now == self.kept && !now.is_empty();
                return agree.then_some(()).ok_or(format!("{:#?}", self.kept));
            }
            count => {
                let expected: usize = count.parse().map_err(|_| "unknown step")?;
                let lines = self.lines.iter().filter(|(_, line)| matches(rest, line));
                let count = lines.count();
                return (count == expected)
                    .then_some(())
                    .ok_or(format!("{count} lines"));
            }
        }
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        // An engine that has ended does not read; the next step finds out.
        let _ = input.write_all(bytes);
        let _ = input.flush();
    }

    fn read_until(&mut self, pattern: &str) -> Result<(), String> {
        loop {
            let line = self.output.recv_timeout(PATIENCE);
            let line = line.map_err(|_| "no such line".to_string())?;
            let found = matches(pattern, &line.1);
            self.lines.push(line);
            if found {
                return Ok(());
            }
        }
    }

    fn since_last_sent(&self, pattern: &str) -> Vec<String> {
        let lines = self.lines[self.last_sent.1..].iter().map(|(_, line)| line);
        lines
            .filter(|line| matches(pattern, line))
            .cloned()
            .collect()
    }

    fn wait_for_exit(&mut self) -> Result<(), String> {
        self.lines.extend(self.output.iter());
        let status = self.process.wait().map_err(|error| error.to_string())?;
        status.success().then_some(()).ok_or(status.to_string())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The bytes of a text with `\xHH` for a byte and `{n*TEXT}` for n times TEXT.
fn bytes(text: &str) -> Vec<u8> {
    if let Some((before, rest)) = text.split_once('{')
        && let Some((count, rest)) = rest.split_once('*')
        && let (Ok(count), Some((repeated, after))) = (count.parse(), rest.split_once('}'))
    {
        return [bytes(before), repeated.repeat(count).into(), bytes(after)].concat();
    }
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or("").as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

/// Whether a line is what a pattern says.
fn matches(pattern: &str, line: &str) -> bool {
    if pattern.starts_with('{') {
        let pattern: Value = serde_json::from_str(pattern).expect("a pattern is JSON");
        return serde_json::from_str(line).is_ok_and(|line| has_fields(&pattern, &line));
    }
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    words_match(&words(pattern), &words(line))
}

fn words_match(pattern: &[String], words: &[String]) -> bool {
    match (pattern, words) {
        ([], []) => true,
        ([first, rest @ ..], _) if first == "…" => {
            (0..=words.len()).any(|skipped| words_match(rest, &words[skipped..]))
        }
        ([first, rest @ ..], [word, more @ ..]) => {
            word_matches(first, word) && words_match(rest, more)
        }
        _ => false,
    }
}

fn word_matches(pattern: &str, word: &str) -> bool {
    let number = || word.parse::<f64>();
    match pattern {
        "<word>" => true,
        "<n>" => word.parse::<i64>().is_ok(),
        "<x>" => number().is_ok(),
        "<percent>" => number().is_ok_and(|percent| (0.0..=100.0).contains(&percent)),
        "<move>" => word == "pass" || word.contains('.'),
        _ => pattern
            .split('|')
            .any(|choice| match choice.strip_suffix('*') {
                Some(start) => word.starts_with(start),
                None => word == choice,
            }),
    }
}

/// Whether a JSON value has all the fields of a pattern.
fn has_fields(pattern: &Value, value: &Value) -> bool {
    match pattern {
        Value::String(any) if any == "…" => true,
        Value::Object(fields) => fields.iter().all(|(name, expected)| {
            let field = value.get(name);
            field.is_some_and(|field| has_fields(expected, field))
        }),
        other => other == value,
    }
}
