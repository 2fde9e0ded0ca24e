//! Files of leave values: `.klv2`, the older `.klv`, and CSV.
//!
//! A `.klv2` file has the number of nodes, the nodes as in a `.kwg` file without GADDAG, the
//! number of leaves, and the value of each leave as an `f32` in points. All numbers are
//! little-endian. In `.klv` a value is an `i16` in 256ths of a point; the size of the file
//! distinguishes the two. CSV has rows `leave,value` with `?` for the blank.

use super::error::{GraphError, MAX_KWG_NODES};
use super::graph::Graph;
use super::kwg::{self, NodeFormat};
use super::leaves::{LeaveValues, LeaveValuesError, MAX_LEAVE_POINTS, leave_value};
use crate::tiles::{TileCounts, TileSet};
use crate::units::Equity;

/// Reads `.klv2` or `.klv` for a tile set with this number of letters.
pub fn read(bytes: &[u8], letters: usize) -> Result<LeaveValues, LeaveValuesError> {
    let whole = bytes.len();
    let (nodes, bytes) = split_count(bytes, whole)?;
    let (graph, bytes) = match nodes.checked_mul(4) {
        Some(size) if size <= bytes.len() => bytes.split_at(size),
        _ => return Err(LeaveValuesError::Length(whole, nodes as u64 * 4 + 8)),
    };
    let (leaves, values) = split_count(bytes, whole)?;
    let values = read_values(values, leaves, whole - values.len())?;
    let nodes = NodeFormat::Kwg.decode_all(graph, letters)?;
    kwg::root(&nodes, 0)?;
    let graph = Graph::new(nodes);
    graph.check_tiles(letters)?;
    LeaveValues::from_parts(graph, values)
}

/// Splits off a count of four bytes. `whole` is the size of the file.
fn split_count(bytes: &[u8], whole: usize) -> Result<(usize, &[u8]), LeaveValuesError> {
    match bytes.split_first_chunk() {
        Some((count, rest)) => Ok((u32::from_le_bytes(*count) as usize, rest)),
        None => Err(LeaveValuesError::Length(
            whole,
            (whole - bytes.len()) as u64 + 4,
        )),
    }
}

/// Reads the values of `leaves` leaves. Their total size decides the format of a value.
/// `before` is the number of bytes that stand before them.
fn read_values(
    bytes: &[u8],
    leaves: usize,
    before: usize,
) -> Result<Vec<Equity>, LeaveValuesError> {
    if bytes.len() as u64 == leaves as u64 * 4 {
        convert_values(bytes, |value| f32::from_le_bytes(value).into())
    } else if bytes.len() as u64 == leaves as u64 * 2 {
        convert_values(bytes, |value| f64::from(i16::from_le_bytes(value)) / 256.0)
    } else {
        let needed = before as u64 + leaves as u64 * 4;
        Err(LeaveValuesError::Length(before + bytes.len(), needed))
    }
}

/// Converts values of `N` bytes, each by `points`.
fn convert_values<const N: usize>(
    bytes: &[u8],
    points: impl Fn([u8; N]) -> f64,
) -> Result<Vec<Equity>, LeaveValuesError> {
    let values = bytes.as_chunks().0.iter().enumerate();
    values
        .map(|(at, &value)| leave_value(points(value)).ok_or(LeaveValuesError::Value(at)))
        .collect()
}

/// The bytes of a `.klv2` file.
pub fn write(leaves: &LeaveValues) -> Result<Vec<u8>, LeaveValuesError> {
    let nodes = leaves.graph().nodes();
    if nodes.len() > MAX_KWG_NODES {
        return Err(GraphError::Nodes(nodes.len()).into());
    }
    let mut bytes = (nodes.len() as u32).to_le_bytes().to_vec();
    bytes.extend(NodeFormat::Kwg.encode_all(nodes));
    bytes.extend((leaves.len() as u32).to_le_bytes());
    for (_, value) in leaves.iter() {
        let points = f64::from(value.millis()) / 1_000.0;
        bytes.extend((points as f32).to_le_bytes());
    }
    Ok(bytes)
}

/// Reads rows `leave,value`. Blank lines, lines that start with `#` and the heading
/// `leave,value` are skipped; further columns are ignored.
pub fn read_csv(text: &str, tiles: &TileSet) -> Result<LeaveValues, LeaveValuesError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut pairs = Vec::new();
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line == "leave,value" {
            continue;
        }
        pairs.push(read_row(line, tiles).map_err(|what| LeaveValuesError::Row(at + 1, what))?);
        lines.push(at + 1);
    }
    LeaveValues::new(pairs).map_err(|error| match error {
        LeaveValuesError::Twice(first, second) => {
            let what = format!("the same leave as on line {}", lines[first]);
            LeaveValuesError::Row(lines[second], what)
        }
        other => other,
    })
}

fn read_row(line: &str, tiles: &TileSet) -> Result<(TileCounts, Equity), String> {
    let mut fields = line.split(',').map(str::trim);
    let (Some(leave), Some(value)) = (fields.next(), fields.next()) else {
        return Err("a row has the form leave,value".to_string());
    };
    let leave = tiles.read_tiles(leave).map_err(|error| error.to_string())?;
    if leave.is_empty() {
        return Err("no tiles before the comma".to_string());
    }
    let points: Option<f64> = value.parse().ok();
    match points.and_then(leave_value) {
        Some(value) => Ok((leave, value)),
        None => Err(format!(
            "'{value}' is not a number of points; the limit is {MAX_LEAVE_POINTS}"
        )),
    }
}

/// The text of a CSV file: rows `leave,value`.
pub fn write_csv(leaves: &LeaveValues, tiles: &TileSet) -> String {
    let row =
        |(leave, value): (TileCounts, Equity)| format!("{},{value}\n", tiles.tiles_text(&leave));
    leaves.iter().map(row).collect()
}
