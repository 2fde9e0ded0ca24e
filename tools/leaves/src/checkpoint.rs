//! The checkpoint file that `--resume` writes after each generation, and continues from.
//!
//! All numbers are little-endian. The file has, in this order:
//!
//! - eight bytes that name the format, and its version (u32)
//! - the identity of the training (u64)
//! - the number of finished generations (u32), and the number of boards of each (u32)
//! - the number of leave values (u32), and each value in thousandths of a point (i32)
//! - the FNV checksum of all of the above (u64)

use anyhow::{Context, Result, bail};
use cazique::fnv::Fnv;
use cazique::rules::RuleSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The state of a training after some generations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// A hash of rules, words and seed.
    pub identity: u64,
    /// The number of boards of each finished generation.
    pub finished: Vec<usize>,
    /// The leave values of the last of them, by number.
    pub values: Vec<i32>,
}

/// The first bytes of the file, which name its format.
const MAGIC: [u8; 8] = *b"CzLeaves";
/// The version of the file format.
const FORMAT_VERSION: u32 = 1;
/// The name of the file within the folder.
const FILE_NAME: &str = "checkpoint";

impl Checkpoint {
    /// A hash of everything that leave values depend on, except the number of boards. `racks` is the
    /// number of racks sampled on each board, 0 for a census.
    pub fn identity(rules: &RuleSet, words: u64, seed: u64, racks: usize) -> u64 {
        let mut bytes = Vec::new();
        bytes.extend(rules.to_text().bytes());
        bytes.extend(rules.board.to_text().bytes());
        bytes.extend(rules.tiles.to_csv().bytes());
        bytes.extend(words.to_le_bytes());
        bytes.extend(seed.to_le_bytes());
        if racks > 0 {
            bytes.extend((racks as u64).to_le_bytes());
        }
        Fnv::of(&bytes)
    }

    /// Reads the checkpoint of a folder, if there is one. It is an error if it belongs to another
    /// training.
    pub fn load(
        folder: &Path,
        identity: u64,
        plan: &[usize],
        values: usize,
    ) -> Result<Option<Checkpoint>> {
        let path = folder.join(FILE_NAME);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.with_context(|| path.display().to_string())?,
        };
        let name = || path.display().to_string();
        let checkpoint = Checkpoint::decode(&bytes).with_context(name)?;
        if checkpoint.identity != identity || checkpoint.values.len() != values {
            bail!(
                "{}: the checkpoint is of a training with other rules, words or seed; use another folder",
                name()
            );
        }
        if !plan.starts_with(&checkpoint.finished) {
            bail!(
                "{}: the finished generations had {:?} boards; use the same --generations or another folder",
                name(),
                checkpoint.finished
            );
        }
        Ok(Some(checkpoint))
    }

    /// Writes the checkpoint to a new file and then renames it, so that an interruption leaves
    /// either the old or the new one whole.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let (path, new) = (folder.join(FILE_NAME), folder.join("checkpoint.new"));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&new, self.encode()))
            .and_then(|()| fs::rename(&new, &path))
            .with_context(|| path.display().to_string())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT_VERSION.to_le_bytes());
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
        let damaged = "the checkpoint is cut short, damaged or of another version";
        let (body, sum) = bytes.split_last_chunk().context(damaged)?;
        if u64::from_le_bytes(*sum) != Fnv::of(body) {
            bail!(damaged);
        }
        let mut rest = ByteReader(body);
        if rest.take().context(damaged)? != MAGIC
            || rest.number().context(damaged)? != FORMAT_VERSION as usize
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

/// Reads little-endian numbers from bytes. `None` if they do not suffice.
struct ByteReader<'a>(&'a [u8]);

impl ByteReader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<usize> {
        self.take().map(|bytes| u32::from_le_bytes(bytes) as usize)
    }
}
