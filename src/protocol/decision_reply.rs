//! The answer to `go challenge`: the values of both choices, and the decision.

use super::reply::{Certainty, work_line};
use crate::engine::{ChallengeDecision, ChoiceValue, Figure};
use crate::siu::{ErrorCode, InfoLine, Reply};

/// The two choices by name, the better one for the player to move first; and their values.
fn choices(decision: &ChallengeDecision) -> [(&'static str, &ChoiceValue); 2] {
    let mut choices = [
        ("challenge", &decision.challenged),
        ("accept", &decision.accepted),
    ];
    if !decision.should_challenge() {
        choices.reverse();
    }
    choices
}

/// The lines of a decision that is made.
pub(super) fn lines(decision: &ChallengeDecision) -> Vec<Reply> {
    let failure = decision.failure.as_ref();
    let failure = failure.map(|text| Reply::error(ErrorCode::Internal, text));
    let choices = choices(decision);
    // Without an outcome there is nothing to say about a challenge.
    let is_possible = |(name, _): &(&str, _)| *name == "accept" || decision.outcome.is_some();
    let mut lines: Vec<Reply> = failure.into_iter().collect();
    let values = choices.into_iter().filter(is_possible);
    lines.extend(values.map(|(name, value)| choice(name, value)));
    let nodes = decision.accepted.nodes + decision.challenged.nodes;
    let text = format!(
        "{} and {} iterations",
        decision.challenged.iterations, decision.accepted.iterations
    );
    let work = work_line(decision.elapsed, nodes).with("string", text);
    lines.extend([
        Reply::Info(work),
        Reply::BestMove(decision.best().to_string()),
    ]);
    lines
}

fn choice(name: &str, value: &ChoiceValue) -> Reply {
    let number = |figure: Option<Figure>| figure.map(|figure| format!("{:.2}", figure.value));
    let error = |figure: Option<Figure>| {
        let error = figure.and_then(|figure| figure.error);
        error.map(|error| format!("{error:.2}"))
    };
    let line = InfoLine::new(format_args!("choice {name}"))
        .with_some("wp", number(value.win))
        .with_some("wpse", error(value.win))
        .with_some("eq", number(value.equity))
        .with_some("eqse", error(value.equity))
        .with("kind", Certainty::of(value.label).text())
        .with_some("next", value.next.as_ref());
    Reply::Info(line)
}

/// What a person reads.
pub(super) fn sentences(decision: &ChallengeDecision) -> Vec<String> {
    let choices = choices(decision);
    let figure = |figure: Option<Figure>, unit: &str| {
        let figure = figure?;
        let error = figure.error.filter(|error| *error > 0.0);
        let error = error.map_or(String::new(), |error| format!(" ±{error:.1}"));
        Some(format!("{:.1}{error} {unit}", figure.value))
    };
    let sentence = |(name, value): (&str, &ChoiceValue)| {
        let next = value.next.as_ref().map(|next| format!("then {next}"));
        let figures = [
            figure(value.win, "% win"),
            figure(value.equity, "points"),
            next,
        ];
        let figures: Vec<String> = figures.into_iter().flatten().collect();
        (!figures.is_empty()).then(|| format!("{name}: {}", figures.join(", ")))
    };
    let values = choices.into_iter().filter_map(sentence);
    let failure = decision.failure.iter().map(|text| format!("error: {text}"));
    failure
        .chain(values)
        .chain([format!("decision: {}", decision.best())])
        .collect()
}
