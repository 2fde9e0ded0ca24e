//! Laws that hold for any bytes: one for each reader of the library, and one for each protocol.
//!
//! A law is a function that takes bytes and panics if the library breaks a promise about them. It
//! returns whether the bytes are of the format, so that a test can tell whether it is ever put to
//! use. The driver `libfuzzer` looks for bytes that break a law; `tests/replay.rs` runs the corpus.
//! README.md says how to run both.

mod game_files;
mod json;
mod lexica;
mod notations;
mod siu;

use cazique::engine::{Engine, Store};
use cazique::rules::{Embedded, Library, PRESETS, RuleSet};
use cazique::tiles::TileSet;
use std::sync::{Arc, LazyLock};

/// A reader or a session, with the law that it keeps.
pub struct Target {
    /// The name, which is also that of its corpus.
    pub name: &'static str,
    /// Panics if the bytes break a promise, and returns whether they are of the format.
    pub law: fn(&[u8]) -> bool,
}

/// Every target.
pub const TARGETS: [Target; 11] = [
    target("siu", siu::law),
    target("json", json::law),
    target("cgp", notations::cgp),
    target("gcg", notations::gcg),
    target("board", game_files::board),
    target("tiles", game_files::tiles),
    target("rules", game_files::rules),
    target("kwg", lexica::kwg),
    target("klv2", lexica::klv2),
    target("words", lexica::words),
    target("leaves", lexica::leaves),
];

const fn target(name: &'static str, law: fn(&[u8]) -> bool) -> Target {
    Target { name, law }
}

impl Target {
    /// The target with this name.
    pub fn find(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }
}

/// The default rules: a tournament on the standard board with English tiles.
fn default_rules() -> Arc<RuleSet> {
    /// Read once.
    static RULES: LazyLock<Arc<RuleSet>> = LazyLock::new(|| preset(PRESETS[0]));
    RULES.clone()
}

/// A built-in rule set.
fn preset(name: &str) -> Arc<RuleSet> {
    Arc::new(Embedded.rules(name).expect("a preset"))
}

/// Rules for up to four players.
fn rules_for_many() -> Arc<RuleSet> {
    /// Read once.
    static RULES: LazyLock<Arc<RuleSet>> = LazyLock::new(|| preset("deluxe"));
    RULES.clone()
}

/// Tile sets to read with: English, and one with labels of several characters and beyond ASCII.
fn tile_sets() -> [Arc<TileSet>; 2] {
    /// A made-up language.
    static DIGRAPHS: LazyLock<Arc<TileSet>> = LazyLock::new(|| {
        let csv = "?,?,2,0,0\nA,a,9,1,1\nC,c,6,3,0\nCH,ch,7,5,0\nÉ,é,9,1,1\nH,h,6,4,0\n\
            L,l,6,1,0\nL·L,l·l,5,10,0\n";
        Arc::new(TileSet::parse("digraphs", csv).expect("a tile set"))
    });
    [default_rules().tiles.clone(), DIGRAPHS.clone()]
}

/// The memory of each table that a search fills, in megabytes: the least that the options take.
const TABLE_MEGABYTES: &str = "1";

/// An engine whose searches start quickly. All engines share the loaded words and tables.
fn quick_engine() -> Engine {
    /// What has been loaded.
    static STORE: LazyLock<Store> = LazyLock::new(Store::default);
    let mut engine = Engine::with_store(STORE.clone()).expect("the default rules are built in");
    for (name, value) in [
        ("WordMap", "off"),
        ("Hash", TABLE_MEGABYTES),
        ("EndgameHash", TABLE_MEGABYTES),
    ] {
        engine
            .set_option(name, value)
            .expect("a value of the option");
    }
    engine
}

/// Whether an option may be set while fuzzing: `Log` writes files, and the others take memory.
fn is_harmless_option(name: &str) -> bool {
    let harmful = ["Log", "Hash", "EndgameHash"];
    !harmful
        .iter()
        .any(|option| name.eq_ignore_ascii_case(option))
}
