//! Makes samples/game.json anew: `cargo run -p browser --bin sample > FILE`. It is needed when the
//! format of reviews changes. The record is a game with four planted mistakes.

use anyhow::Result;
use cazique::engine::Engine;
use cazique::notation::gcg::{GameRecord, ReadMode};
use cazique::review::{ReviewRequest, review_record};
use std::io::{Write, stdout};

/// The iterations of a turn. Chosen by hand: enough for all figures, and still fast.
const ITERATIONS: u64 = 300;

/// The number of candidates. Chosen by hand, so that the sample stays small.
const CANDIDATES: usize = 11;

fn main() -> Result<()> {
    let text = include_bytes!("../../samples/game.gcg");
    let (record, _) = GameRecord::parse(text, ReadMode::Strict)
        .map_err(|problem| anyhow::anyhow!("{problem}"))?;
    let request = ReviewRequest {
        iterations: Some(ITERATIONS),
        candidates: CANDIDATES,
        luck: true,
        ..ReviewRequest::default()
    };
    let mut engine = Engine::new()?;
    let document = review_record(&mut engine, &record, "game.gcg", &request, 1)
        .map_err(|problem| anyhow::anyhow!("{problem}"))?;
    writeln!(stdout(), "{}", serde_json::to_string(&document)?)?;
    Ok(())
}
