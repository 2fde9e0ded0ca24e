//! Win probabilities by lead, tiles in the bag and tiles on the racks, counted
//! in static games.
//!
//! A *swing* is the change of the spread of the player to move from a position
//! to the end of the game. [`SwingCounts`] counts swings, not wins, so that one
//! game contributes to every lead: with a lead of d, games with a swing above -d
//! are won and games with a swing of -d are drawn, whatever the rules say about
//! ties. [`SwingCounts::table`] turns the counts into a [`WinTable`]. While the bag
//! has tiles both racks are full, so the bag alone gives the stage of a game;
//! afterwards the two racks do.
//!
//! `tools/leaves` counts and writes tables; [`super::WinModel`] reads them.
//!
//! # File format
//! All numbers are little-endian.
//!
//! | field | type |
//! |---|---|
//! | format name `CzChance` | 8 bytes |
//! | version | u16 |
//! | length of the description in bytes | u16 |
//! | description: what was counted | UTF-8 |
//! | rack size R, largest bag B | u16 each |
//! | B + R*R rows | see below |
//! | FNV-1a sum of all bytes before | u64 |
//!
//! There is a row for each bag from 1 to B, then one for each pair of rack sizes,
//! one's own and the opponent's, from (1, 1) to (R, R). A row has the lead of its
//! first value (i16), the number of values (u16), and the win probabilities (u16
//! each, in parts of [`WinProb::SCALE`]) for that lead and those that follow. They
//! ascend. A lead below the first counts as a loss, one above the last as a win.

use crate::fnv::Fnv;
use crate::rules::{Embedded, Library, MAX_RACK, RuleSet};
use crate::units::{Points, WinProb};
use std::collections::{BTreeMap, HashMap};

/// The first bytes of a file: the name of the format.
const FORMAT: [u8; 8] = *b"CzChance";
/// The version of the format that is read and written.
const VERSION: u16 = 1;
/// The longest description of a table, in bytes. Chosen by hand.
const MAX_ABOUT_BYTES: usize = 1_000;

/// The win probability by lead and stage of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinTable {
    about: String,
    /// The rack size and the largest bag.
    rack: usize,
    bag: usize,
    /// In the order of [`GameStage::all`].
    rows: Vec<WinRow>,
}

/// The win probabilities at one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WinRow {
    /// The lead of the first value. A smaller lead loses.
    first: i16,
    /// Increasing, in parts of [`WinProb::SCALE`]. A larger lead wins.
    values: Box<[u16]>,
}

impl WinTable {
    /// The win probability of the player to move, who is `lead` ahead and holds
    /// `mine` tiles against `theirs`, with `bag` tiles in the bag. A stage that
    /// the table lacks is replaced by the nearest one.
    pub fn win_prob(&self, lead: Points, bag: usize, mine: usize, theirs: usize) -> WinProb {
        let rack = |tiles: usize| tiles.clamp(1, self.rack);
        let stage = GameStage::new(bag.min(self.bag), rack(mine), rack(theirs));
        self.rows[stage.index(self.rack, self.bag)].win_prob(lead)
    }

    /// A checksum that identifies the table.
    pub(crate) fn hash(&self) -> u64 {
        Fnv::of(&self.write())
    }

    /// The description: what was counted.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The hash of the lexicon of the games that were counted, if the description has it.
    pub(crate) fn lexicon_hash(&self) -> Option<u64> {
        let (_, hash) = self.described("lexicon")?.rsplit_once(' ')?;
        u64::from_str_radix(hash, 16).ok()
    }

    /// How the games that were counted differ from games by these rules, as far as the file says.
    pub(crate) fn misfit(&self, rules: &RuleSet) -> Option<String> {
        let (rack, bag) = largest_stage(rules);
        if (self.rack, self.bag) != (rack, bag) {
            let (own_rack, own_bag) = (self.rack, self.bag);
            return Some(format!(
                "made for racks of {own_rack} and a bag of {own_bag} at the start, and the rules have {rack} and {bag}"
            ));
        }
        // The description has the name of the rules, which says more only if they are built in.
        let counted = Embedded.rules(self.described("rules")?).ok()?.board.side();
        let side = rules.board.side();
        (counted != side).then(|| {
            format!("made on a board of {counted}x{counted}, and the rules have {side}x{side}")
        })
    }

    /// The line of the description that starts with a word, without the word.
    fn described(&self, word: &str) -> Option<&str> {
        let mut lines = self.about.lines().filter_map(|line| line.split_once(' '));
        lines.find_map(|(first, rest)| (first == word).then_some(rest))
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<WinTable, WinTableError> {
        let (body, sum) = bytes.split_last_chunk().ok_or(WinTableError::Short)?;
        let mut rest = WinTableReader(body);
        if rest.take()? != FORMAT {
            return Err(WinTableError::Format);
        }
        match rest.number()? {
            VERSION => {}
            other => return Err(WinTableError::Version(other)),
        }
        if u64::from_le_bytes(*sum) != Fnv::of(body) {
            return Err(WinTableError::Sum);
        }
        let length = usize::from(rest.number()?);
        let about = str::from_utf8(rest.bytes(length)?).map_err(|_| WinTableError::About)?;
        if length > MAX_ABOUT_BYTES {
            return Err(WinTableError::About);
        }
        let (rack, bag) = (usize::from(rest.number()?), usize::from(rest.number()?));
        if !(1..=MAX_RACK).contains(&rack) {
            return Err(WinTableError::Rack(rack));
        }
        let rows = (0..bag + rack * rack)
            .map(|at| rest.row(at))
            .collect::<Result<_, _>>()?;
        match rest.0 {
            [] => Ok(WinTable {
                about: about.to_string(),
                rack,
                bag,
                rows,
            }),
            more => Err(WinTableError::Long(more.len())),
        }
    }

    /// The bytes of a file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = FORMAT.to_vec();
        let number = |bytes: &mut Vec<u8>, n: usize| bytes.extend((n as u16).to_le_bytes());
        number(&mut bytes, VERSION.into());
        number(&mut bytes, self.about.len());
        bytes.extend(self.about.bytes());
        number(&mut bytes, self.rack);
        number(&mut bytes, self.bag);
        for row in &self.rows {
            bytes.extend(row.first.to_le_bytes());
            number(&mut bytes, row.values.len());
            for value in &row.values {
                bytes.extend(value.to_le_bytes());
            }
        }
        bytes.extend(Fnv::of(&bytes).to_le_bytes());
        bytes
    }
}

impl WinRow {
    /// From the number of games with each swing.
    fn new(swings: &BTreeMap<Points, u64>) -> WinRow {
        let total: u64 = swings.values().sum();
        let (Some((least, _)), Some((most, _))) =
            (swings.first_key_value(), swings.last_key_value())
        else {
            // Without any game, a lead wins and a tie is even.
            let values = [WinProb::SCALE / 2].into();
            return WinRow { first: 0, values };
        };
        let mut more = 0;
        let mut values = Vec::new();
        for lead in -most.0..=-least.0 {
            let equal = swings.get(&Points(-lead)).copied().unwrap_or(0);
            // A win counts two halves, a draw one; rounded to the nearest part.
            let halves = 2 * more + equal;
            let one = u64::from(WinProb::SCALE);
            values.push(((halves * one + total) / (2 * total)) as u16);
            more += equal;
        }
        let lost = values.partition_point(|&value| value == 0);
        let decided = values.partition_point(|&value| value < WinProb::SCALE);
        WinRow {
            first: (-most.0 + lost as i32) as i16,
            values: values[lost..decided].into(),
        }
    }

    fn win_prob(&self, lead: Points) -> WinProb {
        match usize::try_from(lead.0.saturating_sub(self.first.into())) {
            Err(_) => WinProb::LOST,
            Ok(at) => self
                .values
                .get(at)
                .map_or(WinProb::WON, |&value| WinProb::from_parts(value)),
        }
    }
}

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum GameStage {
    /// The number of tiles in the bag; both racks are full.
    Bag(usize),
    /// The bag is empty: the number of tiles on the own and the opponent's rack.
    Racks(usize, usize),
}

impl GameStage {
    fn new(bag: usize, mine: usize, theirs: usize) -> GameStage {
        match bag {
            0 => GameStage::Racks(mine, theirs),
            _ => GameStage::Bag(bag),
        }
    }

    /// All stages of games with this rack size and largest bag, in the order of rows.
    fn all(rack: usize, bag: usize) -> impl Iterator<Item = GameStage> {
        let racks = (1..=rack)
            .flat_map(move |mine| (1..=rack).map(move |theirs| GameStage::Racks(mine, theirs)));
        (1..=bag).map(GameStage::Bag).chain(racks)
    }

    /// The position in that order.
    fn index(self, rack: usize, bag: usize) -> usize {
        match self {
            GameStage::Bag(tiles) => tiles - 1,
            GameStage::Racks(mine, theirs) => bag + (mine - 1) * rack + theirs - 1,
        }
    }

    /// The distance of two stages in tiles. A stage with tiles in the bag and one
    /// without have none.
    fn distance(self, other: GameStage) -> Option<usize> {
        match (self, other) {
            (GameStage::Bag(a), GameStage::Bag(b)) => Some(a.abs_diff(b)),
            (GameStage::Racks(a, b), GameStage::Racks(c, d)) => {
                Some(a.abs_diff(c).max(b.abs_diff(d)))
            }
            _ => None,
        }
    }
}

/// The number of games by stage and swing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwingCounts(HashMap<GameStage, HashMap<Points, u64>>);

/// Swings are clamped to this many points either way. No game comes near it.
const MAX_SWING_POINTS: i32 = 10_000;

impl SwingCounts {
    /// Counts a swing of the player to move, who holds `mine` tiles against
    /// `theirs`, with `bag` tiles in the bag.
    pub fn add(&mut self, bag: usize, mine: usize, theirs: usize, swing: Points) {
        let swing = Points(swing.0.clamp(-MAX_SWING_POINTS, MAX_SWING_POINTS));
        let counts = self.0.entry(GameStage::new(bag, mine, theirs)).or_default();
        *counts.entry(swing).or_default() += 1;
    }

    /// The sum of two counts.
    #[must_use]
    pub fn merge(mut self, other: SwingCounts) -> SwingCounts {
        for (stage, counts) in other.0 {
            let own = self.0.entry(stage).or_default();
            for (swing, count) in counts {
                *own.entry(swing).or_default() += count;
            }
        }
        self
    }

    /// The table for games by these rules. A stage with fewer than `min_games`
    /// games adds those of the nearest stages until it has enough.
    pub fn table(
        &self,
        rules: &RuleSet,
        about: &str,
        min_games: u64,
    ) -> Result<WinTable, WinTableError> {
        let (rack, bag) = largest_stage(rules);
        if about.len() > MAX_ABOUT_BYTES {
            return Err(WinTableError::About);
        }
        let row = |stage| WinRow::new(&self.around(stage, min_games));
        Ok(WinTable {
            about: about.to_string(),
            rack,
            bag,
            rows: GameStage::all(rack, bag).map(row).collect(),
        })
    }

    /// The swings of a stage and of the stages around it, by increasing distance,
    /// until they are `min_games`.
    fn around(&self, stage: GameStage, min_games: u64) -> BTreeMap<Points, u64> {
        let mut swings = BTreeMap::new();
        let distance = |other: &GameStage| stage.distance(*other);
        let farthest = self.0.keys().filter_map(distance).max().unwrap_or(0);
        for reach in 0..=farthest {
            for (_, counts) in self
                .0
                .iter()
                .filter(|(other, _)| distance(other) == Some(reach))
            {
                for (swing, count) in counts {
                    *swings.entry(*swing).or_default() += count;
                }
            }
            if swings.values().sum::<u64>() >= min_games {
                break;
            }
        }
        swings
    }
}

/// The rack size of these rules, and the tiles in the bag when two racks are full.
fn largest_stage(rules: &RuleSet) -> (usize, usize) {
    let rack = rules.rack_size;
    (rack, rules.tiles.all().len().saturating_sub(2 * rack))
}

/// The bytes not read yet.
struct WinTableReader<'a>(&'a [u8]);

impl<'a> WinTableReader<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], WinTableError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(WinTableError::Short)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<u16, WinTableError> {
        self.take().map(u16::from_le_bytes)
    }

    fn bytes(&mut self, length: usize) -> Result<&'a [u8], WinTableError> {
        let (taken, rest) = self
            .0
            .split_at_checked(length)
            .ok_or(WinTableError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn row(&mut self, at: usize) -> Result<WinRow, WinTableError> {
        let first = i16::from_le_bytes(self.take()?);
        let length = usize::from(self.number()?);
        let values = self.bytes(2 * length)?.as_chunks().0.iter();
        let values: Box<[u16]> = values.map(|&value| u16::from_le_bytes(value)).collect();
        let open = |&value: &u16| 0 < value && value < WinProb::SCALE;
        match values.is_sorted() && values.iter().all(open) {
            true => Ok(WinRow { first, values }),
            false => Err(WinTableError::Row(at)),
        }
    }
}

/// Why a table of win probabilities cannot be read or made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WinTableError {
    /// The file ends too soon.
    #[error("the table of win probabilities is cut short")]
    Short,
    /// The number of bytes after the end.
    #[error("the table of win probabilities has {0} bytes after its end")]
    Long(usize),
    /// The file does not start with the name of the format.
    #[error("not a table of win probabilities; make one with `leaves win`")]
    Format,
    /// A version that cannot be read.
    #[error(
        "the table of win probabilities has version {0}, known is {VERSION}; make it again with `leaves win`"
    )]
    Version(u16),
    /// The checksum differs from that in the file.
    #[error("the table of win probabilities is damaged: its checksum is wrong")]
    Sum,
    /// The description is too long or not in UTF-8.
    #[error(
        "the description of the table of win probabilities is not in UTF-8 or has more than {MAX_ABOUT_BYTES} bytes"
    )]
    About,
    /// A rack size that no rules have.
    #[error("the table of win probabilities is for racks of {0}, the limit is {MAX_RACK}")]
    Rack(usize),
    /// A row, counted from 0, whose win probabilities decrease, or are 0 or 1.
    #[error("row {0} of the table of win probabilities does not increase from lost to won")]
    Row(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(min_games: u64, seen: &[(usize, i32)]) -> WinTable {
        let mut swings = SwingCounts::default();
        for &(bag, swing) in seen {
            swings.add(bag, 7, 7, Points(swing));
        }
        let rules = Embedded.rules("tournament").unwrap();
        swings.table(&rules, "", min_games).unwrap()
    }

    fn shares(table: &WinTable, bag: usize, leads: &[i32]) -> Vec<f64> {
        let share = |lead: &i32| table.win_prob(Points(*lead), bag, 7, 7).probability();
        leads.iter().map(share).collect()
    }

    #[test]
    fn a_lead_wins_unless_the_swing_cancels_it() {
        let table = table(1, &[(3, -5), (3, 0), (3, 0), (3, 10)]);
        let leads = [-11, -10, -9, -1, 0, 1, 4, 5, 6];
        let by_hand = [0.0, 0.125, 0.25, 0.25, 0.5, 0.75, 0.75, 0.875, 1.0];
        assert_eq!(shares(&table, 3, &leads), by_hand);
    }

    #[test]
    fn a_stage_with_few_games_adds_those_of_the_nearest_stages_until_it_has_enough() {
        let seen = [(10, 8), (10, 8), (11, -4), (13, 6), (0, 99)];
        let leads = [-9, -7, -5, 3, 5];
        // Stage 10 has two games itself; 11 adds those of 10, and 12 those of 11 and 13.
        let table = table(2, &seen);
        assert_eq!(shares(&table, 10, &leads), [0.0, 1.0, 1.0, 1.0, 1.0]);
        let third = f64::from(((WinProb::SCALE as u32 * 2 + 1) / 3) as u16) / 50_000.0;
        assert_eq!(shares(&table, 11, &leads), [0.0, third, third, third, 1.0]);
        assert_eq!(shares(&table, 12, &leads), [0.0, 0.0, 0.5, 0.5, 1.0]);
        // An empty bag adds no games of other stages; without games a tie is even.
        assert_eq!(shares(&table, 0, &[-100, -99, -98]), [0.0, 0.5, 1.0]);
        let table = super::tests::table(2, &[]);
        assert_eq!(shares(&table, 5, &[-1, 0, 1]), [0.0, 0.5, 1.0]);
    }
}
