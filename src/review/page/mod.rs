//! The pages of a review: one self-contained HTML file for a game, and one for an index of games.
//!
//! A page works from the disk and offline. Its policy allows the one script and the one style that
//! this program wrote, by their hashes, and no request. Data goes in as JSON that cannot end its
//! element; the script only ever makes text of it. Pages say nothing that the document does not.
//!
//! - `pack`: the document as JSON for the page, small enough
//! - `summary`: what the page says without a script
//! - `text`: templates, escapes and hashes
//! - `script/`, `style/`: what the page runs and looks like, by subject

mod pack;
mod summary;
mod text;

use super::document::{ReviewDocument, ReviewIndex};

/// The frame of the page of a game.
const GAME_FRAME: &str = include_str!("game.html");

/// The frame of the index.
const INDEX_FRAME: &str = include_str!("index.html");

/// The style of both pages.
const STYLE: &str = concat!(
    include_str!("style/theme.css"),
    include_str!("style/layout.css"),
    include_str!("style/board.css"),
    include_str!("style/table.css"),
    include_str!("style/chart.css"),
    include_str!("style/index.css"),
    include_str!("style/print.css"),
);

/// The script of the page of a game: what shows data comes before what holds it.
const GAME_SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("script/dom.js"),
    include_str!("script/format.js"),
    include_str!("script/data.js"),
    include_str!("script/theme.js"),
    include_str!("script/copy.js"),
    include_str!("script/command.js"),
    include_str!("script/moves.js"),
    include_str!("script/board.js"),
    include_str!("script/chart.js"),
    include_str!("script/graph.js"),
    include_str!("script/cards.js"),
    include_str!("script/candidates.js"),
    include_str!("script/analysis.js"),
    include_str!("script/turns.js"),
    include_str!("script/about.js"),
    include_str!("script/quiz.js"),
    include_str!("script/keys.js"),
    include_str!("script/game.js"),
);

/// The script of the index.
const INDEX_SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("script/dom.js"),
    include_str!("script/format.js"),
    include_str!("script/data.js"),
    include_str!("script/theme.js"),
    include_str!("script/chart.js"),
    include_str!("script/cards.js"),
    include_str!("script/index.js"),
);

/// What the pages name as the program that wrote them, which is how it knows its own files.
pub const PAGE_GENERATOR: &str = concat!("Cazique review ", env!("CARGO_PKG_VERSION"));

/// The page of a game.
///
/// ```
/// use cazique::review::{ReviewDocument, page};
///
/// let document = ReviewDocument {
///     title: "<b>Final</b>".to_string(),
///     ..ReviewDocument::default()
/// };
/// let page = page::game_page(&document);
/// assert!(page.starts_with("<!doctype html>"));
/// assert!(page.contains("&lt;b&gt;Final&lt;/b&gt;") && !page.contains("<b>Final"));
/// ```
pub fn game_page(document: &ReviewDocument) -> String {
    let title = match document.title.trim() {
        "" => "Review of a game",
        title => title,
    };
    let result = match document.date.as_str() {
        "" => document.result.clone(),
        date if document.result.is_empty() => date.to_string(),
        date => format!("{} · {date}", document.result),
    };
    let summary = summary::of_game(document);
    let page = |data: &str| frame(GAME_FRAME, GAME_SCRIPT, &[title, &result, &summary, data]);
    page(&pack::game(document, page("").len()))
}

/// The index of many games.
pub fn index_page(index: &ReviewIndex) -> String {
    let games = match index.games.len() {
        1 => "1 game".to_string(),
        count => format!("{count} games"),
    };
    let title = match index.player.as_str() {
        "" => "Review of games".to_string(),
        player => format!("Review of the games of {player}"),
    };
    let summary = summary::of_index(index);
    let data = pack::index(index);
    frame(
        INDEX_FRAME,
        INDEX_SCRIPT,
        &[&title, &games, &summary, &data],
    )
}

/// A page from its frame, its script, and title, result, summary (as HTML) and data (as JSON).
fn frame(template: &str, script: &str, [title, result, summary, data]: &[&str; 4]) -> String {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        text::source_hash(script),
        text::source_hash(STYLE)
    );
    text::fill(
        template,
        &[
            ("policy", &policy),
            ("generator", PAGE_GENERATOR),
            ("title", &text::escape_html(title)),
            ("result", &text::escape_html(result)),
            ("style", STYLE),
            ("script", script),
            ("summary", summary),
            ("data", data),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_styles_cannot_end_their_elements() {
        for text in [GAME_SCRIPT, INDEX_SCRIPT, STYLE] {
            assert!(!text.contains("</") && !text.contains("<!--"));
        }
    }

    #[test]
    fn scripts_make_no_html_and_no_requests_of_data() {
        let forbidden = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "fetch(",
            "XMLHttpRequest",
            "import(",
        ];
        for script in [GAME_SCRIPT, INDEX_SCRIPT] {
            for word in forbidden {
                assert!(!script.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn all_places_of_the_frames_are_filled() {
        let pages = [
            (GAME_FRAME, game_page(&ReviewDocument::default())),
            (INDEX_FRAME, index_page(&ReviewIndex::default())),
        ];
        for (frame, page) in pages {
            let places: Vec<&str> = frame.split("{{").skip(1).collect();
            assert!(places.len() >= 8);
            for place in places {
                let (name, _) = place.split_once("}}").expect("the end of a place");
                let known = "policy generator title result style script summary data";
                assert!(known.split(' ').any(|it| it == name), "{name}");
                assert!(!page.contains(&format!("{{{{{name}}}}}")), "{name}");
            }
        }
    }
}
