//! What a run is to review, and where the outputs go: everything that can be known before the first
//! search, so that wrong arguments cost no time.

use super::Arguments;
use crate::notation::gcg::{GameRecord, ReadMode};
use crate::review::{
    FIXED_COPY_ENDING, FailedRecord, INDEX_STEM, OutputNames, OutputPlace, OutputWriter,
    RecordSource, RecordSources, ReviewFormat, remove_abandoned_parts, same_name,
};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{self, Path, PathBuf};

/// The most names of players that a message lists. Chosen by hand.
const MAX_LISTED_NAMES: usize = 40;

/// A plan of a run.
pub(super) struct ReviewPlan {
    /// The games to review.
    pub jobs: Vec<ReviewJob>,
    /// What cannot be reviewed.
    pub failures: Vec<FailedRecord>,
    /// What is written of each game.
    pub formats: Vec<ReviewFormat>,
    /// Where the outputs go.
    pub place: OutputPlace,
    /// The folder of the index, if there is one.
    pub index_folder: Option<PathBuf>,
    /// Whether the arguments name more than one record.
    pub is_many: bool,
    /// Writes the outputs.
    pub writer: OutputWriter,
    sources: Vec<RecordSource>,
}

/// A game to review.
pub(super) struct ReviewJob {
    /// The place of its source.
    source: usize,
    /// The number of turns of the record.
    pub turns: usize,
    /// The path of its outputs without ending; `None` if no file is written.
    pub stem: Option<PathBuf>,
}

/// The names of the players of a record: full names and nicknames.
struct RecordPlayers(Vec<[String; 2]>);

impl RecordPlayers {
    fn has(&self, name: &str) -> bool {
        let mut names = self.0.iter().flatten();
        names.any(|known| same_name(known, name))
    }
}

impl ReviewPlan {
    /// Reads all records to see what there is. An error says what is wrong with the arguments.
    pub fn new(arguments: &Arguments, sources: RecordSources) -> Result<ReviewPlan, String> {
        let is_many = sources.is_collection || arguments.paths.len() > 1;
        let formats = match arguments.format.is_empty() {
            true => vec![ReviewFormat::Html],
            false => {
                let formats: BTreeSet<ReviewFormat> = arguments.format.iter().copied().collect();
                formats.into_iter().collect()
            }
        };
        let place = place(arguments, &sources, is_many, &formats)?;
        let index_folder = is_many.then(|| index_folder(arguments, &sources, &place));
        let files = sources.records.iter();
        let files = files.filter_map(|source| source.file.as_deref());
        let named = arguments.paths.iter().map(PathBuf::as_path);
        let writer = OutputWriter::new(files.chain(named), arguments.force);
        let mut plan = ReviewPlan {
            jobs: Vec::new(),
            failures: sources.failures,
            formats,
            place,
            index_folder: index_folder.flatten(),
            is_many,
            writer,
            sources: sources.records,
        };
        let readable = plan.read_all();
        let chosen = choose(readable, arguments.player.as_deref())?;
        plan.add_jobs(chosen, arguments.fix);
        Ok(plan)
    }

    /// The records that can be read, with the number of turns and the players.
    fn read_all(&mut self) -> Vec<(usize, usize, RecordPlayers)> {
        let mut readable = Vec::new();
        for (at, source) in self.sources.iter().enumerate() {
            match read_record(source) {
                Ok(record) => {
                    let players = record.players.iter();
                    let names = players.map(|player| [player.name.clone(), player.nick.clone()]);
                    readable.push((at, record.turns(), RecordPlayers(names.collect())));
                }
                Err(reason) => self.failures.push(FailedRecord {
                    record: source.name.clone(),
                    reason,
                }),
            }
        }
        readable
    }

    /// Gives each record the names of its outputs. One that could not be written is a failure now
    /// and not after the search.
    fn add_jobs(&mut self, chosen: Vec<(usize, usize)>, fix: bool) {
        let mut names = OutputNames::new(self.index_folder.as_deref());
        let mut jobs = Vec::new();
        for (source, turns) in chosen {
            let stem = match &self.place {
                OutputPlace::File(path) => Some(path.with_extension("")),
                place => names.stem(&self.sources[source], place),
            };
            let job = ReviewJob {
                source,
                turns,
                stem,
            };
            jobs.push(job);
        }
        // Reading outputs that are there takes most of the time of a run that searches nothing.
        let checks: Vec<Result<(), String>> = jobs
            .par_iter()
            .map(|job| {
                let mut outputs = self.outputs(job);
                outputs.extend(self.fixed_copy(job).filter(|_| fix));
                let mut outputs = outputs.iter();
                outputs.try_for_each(|(format, path)| self.writer.check(path, *format))
            })
            .collect();
        for (job, check) in jobs.into_iter().zip(checks) {
            match check {
                Ok(()) => self.jobs.push(job),
                Err(reason) => self.failures.push(FailedRecord {
                    record: self.sources[job.source].name.clone(),
                    reason,
                }),
            }
        }
    }

    /// The files of a game.
    pub fn outputs(&self, job: &ReviewJob) -> Vec<(ReviewFormat, PathBuf)> {
        let formats = self.formats.iter();
        match (&self.place, &job.stem) {
            (OutputPlace::File(path), _) => formats.map(|format| (*format, path.clone())).collect(),
            (_, Some(stem)) => {
                let path = |format: &ReviewFormat| with_ending(stem, format.ending());
                formats.map(|format| (*format, path(format))).collect()
            }
            (_, None) => Vec::new(),
        }
    }

    /// The corrected copy of a record.
    pub fn fixed_copy(&self, job: &ReviewJob) -> Option<(ReviewFormat, PathBuf)> {
        let stem = job.stem.as_deref()?;
        Some((ReviewFormat::Gcg, with_ending(stem, FIXED_COPY_ENDING)))
    }

    /// A file of the index.
    pub fn index_path(&self, folder: &Path, format: ReviewFormat) -> PathBuf {
        folder.join(format!("{INDEX_STEM}{}", format.ending()))
    }

    /// The page of a game as a link of the index: relative, with slashes, not escaped.
    pub fn link(&self, job: &ReviewJob) -> String {
        let outputs = self.outputs(job);
        let page = outputs
            .iter()
            .find(|(format, _)| *format == ReviewFormat::Html);
        let (Some((_, page)), Some(folder)) = (page, &self.index_folder) else {
            return String::new();
        };
        let (page, folder) = (absolute(page), absolute(folder));
        let below = page.strip_prefix(&folder).unwrap_or(&page);
        let names = below
            .components()
            .map(|it| it.as_os_str().to_string_lossy());
        names.collect::<Vec<_>>().join("/")
    }

    /// Removes what killed runs have left in the folders of the outputs.
    pub fn prepare_folders(&self) {
        let outputs = self.jobs.iter().flat_map(|job| self.outputs(job));
        let folders = outputs.filter_map(|(_, path)| path.parent().map(Path::to_path_buf));
        let folders: BTreeSet<PathBuf> = folders.chain(self.index_folder.clone()).collect();
        for folder in folders {
            let here = folder == Path::new("");
            remove_abandoned_parts(if here { Path::new(".") } else { &folder });
        }
    }

    /// The number of turns of all games.
    pub fn turns(&self) -> u64 {
        self.jobs.iter().map(|job| job.turns as u64).sum()
    }

    /// The name of the record of a job.
    pub fn name(&self, job: usize) -> &str {
        &self.source(&self.jobs[job]).name
    }

    /// The source of a job.
    pub fn source(&self, job: &ReviewJob) -> &RecordSource {
        &self.sources[job.source]
    }
}

/// Reads a record. Its syntax has to be right; contradictions are found later.
pub(super) fn read_record(source: &RecordSource) -> Result<GameRecord, String> {
    let bytes = source.read()?;
    match GameRecord::parse(&bytes, ReadMode::Strict) {
        Ok((record, _)) => Ok(record),
        Err(problem) => Err(problem.to_string()),
    }
}

fn with_ending(stem: &Path, ending: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_os_string();
    path.push(ending);
    path.into()
}

fn absolute(path: &Path) -> PathBuf {
    path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Where the outputs go.
fn place(
    arguments: &Arguments,
    sources: &RecordSources,
    is_many: bool,
    formats: &[ReviewFormat],
) -> Result<OutputPlace, String> {
    let is_one_text = !is_many && formats.len() == 1;
    if let Some(output) = &arguments.output {
        let ends_as_folder = output
            .to_string_lossy()
            .ends_with(['/', path::MAIN_SEPARATOR]);
        return match output.to_str() {
            Some("-") if is_one_text => Ok(OutputPlace::StandardOutput),
            Some("-") => {
                Err("--output - is for one game in one format; name a folder instead".to_string())
            }
            _ if is_one_text && !ends_as_folder && !output.is_dir() => {
                Ok(OutputPlace::File(output.clone()))
            }
            _ if output.exists() && !output.is_dir() => Err(format!(
                "--output {}: this is a file, but several files are to be written; name a folder",
                output.display()
            )),
            _ => Ok(OutputPlace::Folder(output.clone())),
        };
    }
    let homeless = sources.records.iter().find(|source| source.file.is_none());
    match homeless {
        None => Ok(OutputPlace::BesideRecords),
        Some(_) if !is_many && arguments.format.is_empty() => Ok(OutputPlace::Nowhere),
        Some(_) if is_one_text => Ok(OutputPlace::StandardOutput),
        Some(source) => Err(format!(
            "{} has no folder for outputs; name one with --output",
            source.name
        )),
    }
}

/// The folder of the index: that of the outputs, the only folder that is named, or the deepest that
/// has all records. None without any record.
fn index_folder(
    arguments: &Arguments,
    sources: &RecordSources,
    place: &OutputPlace,
) -> Option<PathBuf> {
    match (place, arguments.paths.as_slice()) {
        (OutputPlace::Folder(folder), _) => return Some(folder.clone()),
        (OutputPlace::BesideRecords, [folder]) if folder.is_dir() => return Some(folder.clone()),
        _ => {}
    }
    let files = sources.records.iter();
    let folders = files.filter_map(|source| Some(absolute(source.file.as_ref()?.parent()?)));
    folders.reduce(|common, folder| {
        let same = common.components().zip(folder.components());
        let same = same.take_while(|(a, b)| a == b);
        same.map(|(component, _)| component).collect()
    })
}

/// The records of a player, or all. A name that no record has is an error.
fn choose(
    readable: Vec<(usize, usize, RecordPlayers)>,
    player: Option<&str>,
) -> Result<Vec<(usize, usize)>, String> {
    let all: BTreeSet<&str> = match player {
        Some(_) => names(&readable).collect(),
        None => BTreeSet::new(),
    };
    let is_chosen = |players: &RecordPlayers| player.is_none_or(|name| players.has(name));
    let chosen = readable.iter().filter(|(_, _, players)| is_chosen(players));
    let chosen: Vec<(usize, usize)> = chosen.map(|(at, turns, _)| (*at, *turns)).collect();
    if let (true, Some(player), false) = (chosen.is_empty(), player, all.is_empty()) {
        let more = match all.len().saturating_sub(MAX_LISTED_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let listed: Vec<&str> = all.into_iter().take(MAX_LISTED_NAMES).collect();
        let listed = listed.join(", ");
        return Err(format!(
            "--player {player}: no record has this player; the players are {listed}{more}"
        ));
    }
    Ok(chosen)
}

/// The full names of all players, or their nicknames where there is no other.
fn names(readable: &[(usize, usize, RecordPlayers)]) -> impl Iterator<Item = &str> {
    let players = readable.iter().flat_map(|(_, _, players)| &players.0);
    players.map(|[name, nick]| if name.is_empty() { nick } else { name }.as_str())
}
