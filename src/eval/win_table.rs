//! The chance to win by lead, tiles in the bag and tiles on the racks, from
//! how many static games went on.
//!
//! A *swing* is what a game still added to the spread of the player to move.
//! Swings are counted rather than wins, so that one game tells something
//! about every lead: with a lead of d the games are won whose swing is more
//! than -d, and those of just -d are drawn. While there are tiles in the bag
//! both racks are full, so the bag alone tells the stage of a game; after
//! that the sizes of both racks do.
//!
//! The file, all numbers little-endian: eight bytes that name the format, a
//! version (u16), the length of a text in UTF-8 (u16) and the text, which
//! says what was counted; the rack size R and the largest bag B (u16 each);
//! then a row for each bag from 1 to B and for each pair of rack sizes, own
//! and other, from 1 and 1 to R and R. A row has a lead (i16), a number of
//! values (u16) and for that lead and those that follow the chance (u16) in
//! parts of [`WinProb::SCALE`]. Chances rise; before the row games are lost and
//! after it won. Last comes the FNV-1a sum (u64) of all bytes before it.

use crate::fnv::Fnv;
use crate::rules::{MAX_RACK, RuleSet};
use crate::units::{Points, WinProb};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

const FORMAT: [u8; 8] = *b"CzChance";
const VERSION: u16 = 1;
/// The longest text about a table, in bytes.
const MAX_ABOUT_BYTES: usize = 1_000;

/// The chance to win by lead and stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinTable {
    about: String,
    rack: usize,
    bag: usize,
    /// For each bag from 1, then for each pair of racks.
    rows: Vec<WinRow>,
}

/// The chances at one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WinRow {
    /// The lead of the first value. With less, a game is lost.
    first: i16,
    /// Rising; after them, a game is won.
    values: Box<[u16]>,
}

impl WinTable {
    /// The chance of the player to move, who is `lead` ahead and holds `mine`
    /// tiles against `theirs`, with `bag` tiles in the bag. For what the table
    /// does not have, it takes the nearest that it has.
    pub fn win_prob(&self, lead: Points, bag: usize, mine: usize, theirs: usize) -> WinProb {
        let rack = |tiles: usize| tiles.clamp(1, self.rack);
        let stage = GameStage::new(bag.min(self.bag), rack(mine), rack(theirs));
        self.rows[stage.index(self.rack, self.bag)].win_prob(lead)
    }

    /// What tells it from other tables.
    pub fn hash(&self) -> u64 {
        Fnv::of(&self.write())
    }

    /// What was counted, in words.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Reads a file.
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
    /// From how often each swing was seen.
    fn new(swings: &BTreeMap<Points, u64>) -> WinRow {
        let total: u64 = swings.values().sum();
        let (Some((least, _)), Some((most, _))) =
            (swings.first_key_value(), swings.last_key_value())
        else {
            // Nothing is known: who leads wins.
            let values = [WinProb::SCALE / 2].into();
            return WinRow { first: 0, values };
        };
        let mut more = 0;
        let mut values = Vec::new();
        for lead in -most.0..=-least.0 {
            let equal = swings.get(&Points(-lead)).copied().unwrap_or(0);
            // Wins count twice and draws once; rounded to the nearest part.
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

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum GameStage {
    /// So many tiles in the bag, and full racks.
    Bag(usize),
    /// An empty bag, and so many tiles on the racks, own and other.
    Racks(usize, usize),
}

impl GameStage {
    fn new(bag: usize, mine: usize, theirs: usize) -> GameStage {
        match bag {
            0 => GameStage::Racks(mine, theirs),
            _ => GameStage::Bag(bag),
        }
    }

    /// All stages of games with such racks and such a bag, in the order of rows.
    fn all(rack: usize, bag: usize) -> impl Iterator<Item = GameStage> {
        let racks = (1..=rack)
            .flat_map(move |mine| (1..=rack).map(move |theirs| GameStage::Racks(mine, theirs)));
        (1..=bag).map(GameStage::Bag).chain(racks)
    }

    /// The place in that order.
    fn index(self, rack: usize, bag: usize) -> usize {
        match self {
            GameStage::Bag(tiles) => tiles - 1,
            GameStage::Racks(mine, theirs) => bag + (mine - 1) * rack + theirs - 1,
        }
    }

    /// How much they differ; stages with and without a bag are not compared.
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

/// Swings, counted by stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwingCounts(HashMap<GameStage, HashMap<Points, u64>>);

/// The largest swing that is told apart, either way; no game comes near it.
const MAX_SWING_POINTS: i32 = 10_000;

impl SwingCounts {
    /// Counts a swing that the player to move had from here, with so many tiles
    /// in the bag, on the own rack and on the other.
    pub fn add(&mut self, bag: usize, mine: usize, theirs: usize, swing: Points) {
        let swing = Points(swing.0.clamp(-MAX_SWING_POINTS, MAX_SWING_POINTS));
        let counts = self.0.entry(GameStage::new(bag, mine, theirs)).or_default();
        *counts.entry(swing).or_default() += 1;
    }

    /// Both together.
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

    /// The table for games by these rules. A stage that was seen fewer than
    /// `enough` times borrows from those next to it, as far as it needs to.
    pub fn table(
        &self,
        rules: &RuleSet,
        about: &str,
        enough: u64,
    ) -> Result<WinTable, WinTableError> {
        let (rack, bag) = (
            rules.rack_size,
            rules.tiles.all().len().saturating_sub(2 * rules.rack_size),
        );
        if about.len() > MAX_ABOUT_BYTES {
            return Err(WinTableError::About);
        }
        let row = |stage| WinRow::new(&self.around(stage, enough));
        Ok(WinTable {
            about: about.to_string(),
            rack,
            bag,
            rows: GameStage::all(rack, bag).map(row).collect(),
        })
    }

    /// The swings of a stage and of as many rings of stages around it as make `enough`, or of all.
    fn around(&self, stage: GameStage, enough: u64) -> BTreeMap<Points, u64> {
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
            if swings.values().sum::<u64>() >= enough {
                break;
            }
        }
        swings
    }
}

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

/// Why there is no table of chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinTableError {
    /// The file ends too soon.
    Short,
    /// So many bytes after the end.
    Long(usize),
    /// Not the bytes that name the format.
    Format,
    /// A version that is not read.
    Version(u16),
    /// Not the sum that the file says.
    Sum,
    /// A text that is too long or not in UTF-8.
    About,
    /// A rack size that no rules have.
    Rack(usize),
    /// A row, counted from 0, whose chances fall, or are certain.
    Row(usize),
}

impl fmt::Display for WinTableError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WinTableError::Short => write!(f, "the table of chances is cut short"),
            WinTableError::Long(bytes) => {
                write!(f, "{bytes} bytes after the end of the table of chances")
            }
            WinTableError::Format => write!(
                f,
                "not a table of chances to win; make one with `leaves win`"
            ),
            WinTableError::Version(version) => write!(
                f,
                "the table of chances has version {version}, known is {VERSION}; make it again with `leaves win`"
            ),
            WinTableError::Sum => {
                write!(f, "the table of chances is damaged: its checksum is wrong")
            }
            WinTableError::About => write!(
                f,
                "the text about the table of chances is not UTF-8 or has more than {MAX_ABOUT_BYTES} bytes, which is the limit"
            ),
            WinTableError::Rack(tiles) => {
                write!(
                    f,
                    "the table of chances is for racks of {tiles}, the limit is {MAX_RACK}"
                )
            }
            WinTableError::Row(at) => {
                write!(
                    f,
                    "row {at} of the table of chances does not rise from lost to won"
                )
            }
        }
    }
}

impl std::error::Error for WinTableError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Embedded, Library};

    fn table(enough: u64, seen: &[(usize, i32)]) -> WinTable {
        let mut swings = SwingCounts::default();
        for &(bag, swing) in seen {
            swings.add(bag, 7, 7, Points(swing));
        }
        let rules = Embedded.rules("tournament").unwrap();
        swings.table(&rules, "", enough).unwrap()
    }

    fn shares(table: &WinTable, bag: usize, leads: &[i32]) -> Vec<f64> {
        let share = |lead: &i32| table.win_prob(Points(*lead), bag, 7, 7).probability();
        leads.iter().map(share).collect()
    }

    #[test]
    fn a_lead_wins_where_the_swing_does_not_undo_it() {
        let table = table(1, &[(3, -5), (3, 0), (3, 0), (3, 10)]);
        let leads = [-11, -10, -9, -1, 0, 1, 4, 5, 6];
        let by_hand = [0.0, 0.125, 0.25, 0.25, 0.5, 0.75, 0.75, 0.875, 1.0];
        assert_eq!(shares(&table, 3, &leads), by_hand);
    }

    #[test]
    fn a_stage_seldom_seen_borrows_from_the_nearest_and_only_as_much_as_it_needs() {
        let seen = [(10, 8), (10, 8), (11, -4), (13, 6), (0, 99)];
        let leads = [-9, -7, -5, 3, 5];
        // Two are enough for 10; 11 takes those of 10, 12 those of 11 and 13.
        let table = table(2, &seen);
        assert_eq!(shares(&table, 10, &leads), [0.0, 1.0, 1.0, 1.0, 1.0]);
        let third = f64::from(((WinProb::SCALE as u32 * 2 + 1) / 3) as u16) / 50_000.0;
        assert_eq!(shares(&table, 11, &leads), [0.0, third, third, third, 1.0]);
        assert_eq!(shares(&table, 12, &leads), [0.0, 0.0, 0.5, 0.5, 1.0]);
        // An empty bag does not borrow from others, and nothing known is even at no lead.
        assert_eq!(shares(&table, 0, &[-100, -99, -98]), [0.0, 0.5, 1.0]);
        let table = super::tests::table(2, &[]);
        assert_eq!(shares(&table, 5, &[-1, 0, 1]), [0.0, 0.5, 1.0]);
    }
}
