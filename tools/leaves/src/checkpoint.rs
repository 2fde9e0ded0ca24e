//! What is kept after each generation, to go on after a break.
//!
//! All numbers little-endian: eight bytes that name the format, a version
//! (u32), the identity of the task (u64), the number of finished generations
//! (u32) and the boards of each (u32), the number of values (u32) and each
//! value in thousandths of a point (i32), and a checksum of all that (u64).

use anyhow::{Context, Result, bail};
use cazique::fnv::Fnv;
use cazique::rules::RuleSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// How far a training is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// What is trained: rules, words and seed in one number.
    pub identity: u64,
    /// The boards of each finished generation.
    pub finished: Vec<usize>,
    /// The values of the last of them, by number.
    pub values: Vec<i32>,
}

const FORMAT: [u8; 8] = *b"CzLeaves";
const VERSION: u32 = 1;
const FILE: &str = "checkpoint";

impl Checkpoint {
    /// One number for all that a table depends on, but for the number of boards.
    pub fn identity(rules: &RuleSet, words: u64, seed: u64) -> u64 {
        let mut bytes = Vec::new();
        bytes.extend(rules.to_text().bytes());
        bytes.extend(rules.board.to_text().bytes());
        bytes.extend(rules.tiles.to_csv().bytes());
        bytes.extend(words.to_le_bytes());
        bytes.extend(seed.to_le_bytes());
        Fnv::of(&bytes)
    }

    /// What is in a folder, if anything is, and if it is of this task.
    pub fn load(
        folder: &Path,
        identity: u64,
        plan: &[usize],
        values: usize,
    ) -> Result<Option<Checkpoint>> {
        let path = folder.join(FILE);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.with_context(|| path.display().to_string())?,
        };
        let name = || path.display().to_string();
        let checkpoint = Checkpoint::decode(&bytes).with_context(name)?;
        if checkpoint.identity != identity || checkpoint.values.len() != values {
            bail!(
                "{}: it is of another training (rules, words or seed); take another folder",
                name()
            );
        }
        if !plan.starts_with(&checkpoint.finished) {
            bail!(
                "{}: its generations had {:?} boards; take another folder",
                name(),
                checkpoint.finished
            );
        }
        Ok(Some(checkpoint))
    }

    /// Writes it into a folder: first beside the old one, so that a break leaves one of them whole.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let (path, new) = (folder.join(FILE), folder.join("checkpoint.new"));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&new, self.encode()))
            .and_then(|()| fs::rename(&new, &path))
            .with_context(|| path.display().to_string())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = FORMAT.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.identity.to_le_bytes());
        bytes.extend((self.finished.len() as u32).to_le_bytes());
        for &boards in &self.finished {
            bytes.extend((boards as u32).to_le_bytes());
        }
        bytes.extend((self.values.len() as u32).to_le_bytes());
        for value in &self.values {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(Fnv::of(&bytes).to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Checkpoint> {
        let damaged = "it is cut short, damaged or of another version";
        let (body, sum) = bytes.split_last_chunk().context(damaged)?;
        if u64::from_le_bytes(*sum) != Fnv::of(body) {
            bail!(damaged);
        }
        let mut rest = Reader(body);
        if rest.take().context(damaged)? != FORMAT
            || rest.number().context(damaged)? != VERSION as usize
        {
            bail!(damaged);
        }
        let mut read = || {
            let identity = u64::from_le_bytes(rest.take()?);
            let generations = rest.number()?;
            let finished = (0..generations)
                .map(|_| rest.number())
                .collect::<Option<_>>()?;
            let count = rest.number()?;
            let value = |_| rest.take().map(i32::from_le_bytes);
            let values = (0..count).map(value).collect::<Option<_>>()?;
            Some(Checkpoint {
                identity,
                finished,
                values,
            })
        };
        read().context(damaged)
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<usize> {
        self.take().map(|bytes| u32::from_le_bytes(bytes) as usize)
    }
}
