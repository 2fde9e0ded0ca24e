//! Finding rule sets, boards, tile sets and lexica by built-in name, by name in a folder, or by path.

use super::options::{Affects, DEFAULT_LEXICON};
use super::shortened;
use crate::board::Layout;
use crate::rules::{Embedded, Library, RuleSet, shared};
use crate::tiles::TileSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest board, tile set or rule file that is read, in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// The most folders of a DataPath: each is looked through for every name that is not found.
const MAX_FOLDERS: usize = 64;

/// What is built in, and the files in some folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    folders: Vec<PathBuf>,
    /// Whether a file is found by its name in one of the folders only, and not by a path.
    names_only: bool,
}

/// The extensions of boards and rule files.
const TEXT_EXTENSIONS: &[&str] = &["txt"];

/// The extensions of tile sets.
const TILE_EXTENSIONS: &[&str] = &["csv"];

/// The extensions of lexica.
const LEXICON_EXTENSIONS: &[&str] = &["kwg", "kbwg", "txt", "tsv"];

/// Below a folder of the DataPath, where other programs keep their files too.
const SUBFOLDERS: [&str; 7] = [
    "",
    "lexica",
    "lexica/gaddag",
    "boards",
    "layouts",
    "letterdistributions",
    "rules",
];

impl Files {
    /// The folders named in a DataPath, unless they are too many.
    pub fn new(data_path: &str) -> Result<Files, String> {
        let folders: Vec<PathBuf> = data_path
            .split(';')
            .map(str::trim)
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from)
            .collect();
        match folders.len() {
            n if n > MAX_FOLDERS => Err(format!(
                "DataPath has {n} folders, the limit is {MAX_FOLDERS}"
            )),
            _ => Ok(Files {
                folders,
                names_only: false,
            }),
        }
    }

    /// The same files, but for names from outside, such as those of a game record: a path finds
    /// nothing.
    pub(super) fn names_only(&self) -> Files {
        Files {
            names_only: true,
            ..self.clone()
        }
    }

    /// The file of a lexicon.
    pub(super) fn lexicon(&self, name: &str) -> Option<PathBuf> {
        self.find(name, LEXICON_EXTENSIONS)
    }

    /// A warning for each folder that does not exist.
    pub(super) fn missing_folders(&self) -> Vec<String> {
        let missing = self.folders.iter().filter(|folder| !folder.is_dir());
        let warning = |folder: &PathBuf| {
            let name = shortened(&folder.to_string_lossy());
            format!("DataPath: there is no folder '{name}'")
        };
        missing.map(warning).collect()
    }

    /// The file with this path, or with this name and one of these endings in one of the folders.
    pub fn find(&self, name: &str, endings: &[&str]) -> Option<PathBuf> {
        let as_it_is = Path::new(name);
        if self.names_only && !is_name(name) {
            return None;
        }
        if !self.names_only && as_it_is.is_file() {
            return Some(as_it_is.to_path_buf());
        }
        let folders = self
            .folders
            .iter()
            .flat_map(|folder| SUBFOLDERS.map(|below| folder.join(below)));
        let spelled = [name.to_string(), name.to_lowercase(), name.to_uppercase()];
        let named = |folder: PathBuf| {
            let names = spelled.iter().flat_map(|name| {
                let with = endings.iter().map(move |ending| format!("{name}.{ending}"));
                std::iter::once(name.clone()).chain(with)
            });
            names
                .map(|name| folder.join(name))
                .find(|path| path.is_file())
                .into_iter()
        };
        folders.flat_map(named).next()
    }

    /// The warning that a CGP cannot name the file which a value of an option names.
    pub(super) fn name_warning(&self, affected: Affects, value: &str) -> Option<String> {
        let (is_built_in, endings): (fn(&str) -> bool, _) = match affected {
            Affects::RuleSet => (|name| Embedded.rules(name).is_ok(), TEXT_EXTENSIONS),
            Affects::Board => (|name| Embedded.board(name).is_ok(), TEXT_EXTENSIONS),
            Affects::TileSet => (|name| Embedded.tiles(name).is_ok(), TILE_EXTENSIONS),
            Affects::Lexicon => (is_built_in_lexicon, LEXICON_EXTENSIONS),
            _ => return None,
        };
        let file = self.find(value, endings).filter(|_| !is_built_in(value))?;
        let name = name_of(&file, endings);
        let real = |path: &Path| path.canonicalize().ok();
        let by_name = self.names_only().find(&name, endings);
        let why = if is_built_in(&name) {
            "which is built in too; rename the file"
        } else if name.contains(';') {
            "because ';' ends a name there; rename the file"
        } else {
            match by_name {
                None => "because no folder of the DataPath has it; set DataPath first",
                Some(found) if real(&found) != real(&file) => {
                    "because the DataPath finds another file by this name; rename one of them"
                }
                Some(_) => return None,
            }
        };
        let name = shortened(&name);
        Some(format!("a CGP cannot name the file '{name}', {why}"))
    }

    /// The text of such a file and the name to give to what it holds.
    fn text(&self, name: &str, endings: &[&str]) -> Result<Option<(String, String)>, String> {
        let Some(path) = self.find(name, endings) else {
            return Ok(None);
        };
        let fail = |what: String| format!("{}: {what}", path.display());
        let file = File::open(&path).map_err(|error| fail(error.to_string()))?;
        let mut bytes = Vec::new();
        let read = file.take(MAX_TEXT + 1).read_to_end(&mut bytes);
        read.map_err(|error| fail(error.to_string()))?;
        if bytes.len() as u64 > MAX_TEXT {
            return Err(fail(format!(
                "more than {MAX_TEXT} bytes, which is the limit"
            )));
        }
        let text = String::from_utf8(bytes).map_err(|_| fail("not UTF-8 text".to_string()))?;
        Ok(Some((name_of(&path, endings), text)))
    }

    /// What is built in, or else what `parse` makes of a file; errors of both if there is neither.
    fn load<T>(
        &self,
        name: &str,
        endings: &[&str],
        built_in: Result<T, String>,
        parse: impl Fn(&str, &str) -> Result<T, String>,
    ) -> Result<T, String> {
        let unknown = match built_in {
            Ok(found) => return Ok(found),
            Err(unknown) => unknown,
        };
        match self.text(name, endings)? {
            None => Err(format!("{unknown}, and no such file was found")),
            Some((stem, text)) => parse(&stem, &text).map_err(|error| format!("{name}: {error}")),
        }
    }
}

/// The name by which a file is found in its folder: without one of these endings, which are tried
/// anyway.
fn name_of(path: &Path, endings: &[&str]) -> String {
    let is_tried = |ending: &std::ffi::OsStr| endings.iter().any(|tried| ending == *tried);
    let name = match path.extension().is_some_and(is_tried) {
        true => path.file_stem(),
        false => path.file_name(),
    };
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// The name of a lexicon, without folder and ending where an option holds a path.
pub(super) fn lexicon_name(option: &str) -> String {
    match is_built_in_lexicon(option) {
        true => option.to_string(),
        false => name_of(Path::new(option), LEXICON_EXTENSIONS),
    }
}

/// Whether a text names the built-in lexicon, in any letter case.
pub(super) fn is_built_in_lexicon(name: &str) -> bool {
    name.eq_ignore_ascii_case(DEFAULT_LEXICON)
}

/// Whether a text is the name of a file and not a path, on any system: it has no separator and no
/// drive, and it is not a folder such as `..`.
fn is_name(text: &str) -> bool {
    !text.contains(['/', '\\', ':']) && !text.starts_with('.') && !text.is_empty()
}

impl Library for Files {
    fn board(&self, name: &str) -> Result<Arc<Layout>, String> {
        let parse = |stem: &str, text: &str| shared(Layout::parse(stem, text));
        self.load(name, TEXT_EXTENSIONS, Embedded.board(name), parse)
    }

    fn tiles(&self, name: &str) -> Result<Arc<TileSet>, String> {
        let parse = |stem: &str, text: &str| shared(TileSet::parse(stem, text));
        self.load(name, TILE_EXTENSIONS, Embedded.tiles(name), parse)
    }

    fn rules(&self, name: &str) -> Result<RuleSet, String> {
        // A rule file on the DataPath is the client's own, so it may have paths.
        let any = Files {
            names_only: false,
            ..self.clone()
        };
        let parse = |stem: &str, text: &str| {
            RuleSet::parse(stem, text, &any).map_err(|error| error.to_string())
        };
        self.load(name, TEXT_EXTENSIONS, Embedded.rules(name), parse)
    }
}
