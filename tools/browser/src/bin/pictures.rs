//! Takes screenshots of pages: `pictures FOLDER [DOCUMENT.json]`. The two of the README are
//! `review.png` and `find-it-yourself.png`; the others are to look at.

use anyhow::{Context, Result};
use browser::driver::{Browser, key};
use browser::samples;
use cazique::review::{ReviewedTurn, page};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let folder = arguments
        .next()
        .context("usage: pictures FOLDER [DOCUMENT.json]")?;
    let document = match arguments.next() {
        Some(file) => serde_json::from_str(&fs::read_to_string(file)?)?,
        None => samples::game(),
    };
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    let write = |name: &str, text: &str| -> Result<String> {
        let path = folder.join(name);
        fs::write(&path, text)?;
        Ok(format!("file://{}", path.canonicalize()?.display()))
    };
    let game = write("game.html", &page::game_page(&document))?;
    let large = write("large.html", &page::game_page(&samples::large_game()))?;
    let index = write("index.html", &page::index_page(&samples::index()))?;
    let browser = Browser::start()?;
    let shot = |name: &str| save(&folder, name, &browser.screenshot()?);
    let loss = |turn: &ReviewedTurn| turn.loss.map_or(0.0, |loss| loss.value);
    let turns = document.turns.iter();
    let worst = turns.max_by(|a, b| loss(a).total_cmp(&loss(b)));
    let worst = worst.map_or(1, |turn| turn.number);

    browser.devtools(
        "Emulation.setScrollbarsHidden",
        &serde_json::json!({"hidden": true}),
    )?;
    browser.resize(1150, 850)?;
    browser.prefer("light")?;
    browser.open(&format!("{game}#turn={worst}"))?;
    shot("review.png")?;
    save(&folder, "review.pdf", &browser.print()?)?;
    browser.click(".candidate:not(.is-played) .move")?;
    browser.prefer("dark")?;
    shot("ghost-dark.png")?;
    browser.resize(1200, 860)?;
    browser.run("document.querySelector('[data-find]').click()")?;
    browser.click("#skip")?;
    browser.click("[data-choice='0']")?;
    browser.run("document.activeElement.blur(); scrollTo(0, 0)")?;
    shot("find-it-yourself.png")?;
    browser.click("#leave")?;
    browser.prefer("light")?;
    browser.resize(1280, 2600)?;
    shot("whole.png")?;
    browser.press(key::END)?;
    shot("endgame.png")?;
    browser.press(&key::LEFT.repeat(4))?;
    shot("preendgame.png")?;
    browser.run("document.querySelectorAll('.choice button')[1].click()")?;
    shot("spread.png")?;
    browser.resize(1280, 1180)?;
    browser.run("document.querySelector('[data-find]').click()")?;
    shot("quiz.png")?;
    browser.run("document.querySelector('[data-choice]').click()")?;
    browser.click("#check")?;
    shot("answer.png")?;
    narrow(&browser, &shot, worst, [&game, &large, &index])
}

/// Pictures of a phone, and of the pages that are not about the sample.
fn narrow(
    browser: &Browser,
    shot: &dyn Fn(&str) -> Result<()>,
    worst: usize,
    [game, large, index]: [&str; 3],
) -> Result<()> {
    browser.resize(375, 1100)?;
    shot("phone-quiz.png")?;
    browser.open("about:blank")?;
    for (name, page) in [("phone", game), ("phone-large", large)] {
        browser.open(&format!("{page}#turn={worst}"))?;
        for part in 0..4 {
            browser.run(&format!(
                "scrollTo({{top: {part} * 1080, behavior: 'instant'}})"
            ))?;
            shot(&format!("{name}-{part}.png"))?;
        }
    }
    browser.resize(1280, 1800)?;
    shot("large.png")?;
    browser.open(index)?;
    browser.run("document.querySelectorAll('details').forEach((it) => { it.open = true; })")?;
    shot("index.png")?;
    browser.resize(375, 3000)?;
    browser.prefer("dark")?;
    shot("phone-index.png")?;
    Ok(())
}

/// Writes a file that the browser sent in base64.
fn save(folder: &Path, name: &str, base64: &str) -> Result<()> {
    fs::write(folder.join(name), decode(base64)?)?;
    Ok(())
}

/// The bytes of a text in base64.
fn decode(text: &str) -> Result<Vec<u8>> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in text.bytes().filter(|digit| *digit != b'=') {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => anyhow::bail!("not base64"),
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Ok(bytes)
}
