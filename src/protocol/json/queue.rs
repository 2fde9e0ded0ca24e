//! What waits in the queue of a session.

use super::backlog::BacklogShare;
use super::query::Inspection;
use super::review::QueuedReview;
use super::running::QueuedQuery;
use std::sync::Arc;

/// Work that waits in the queue.
pub(super) enum QueueItem {
    /// Search a turn of a query.
    Search(Arc<QueuedQuery>, usize),
    /// Review a game.
    Review(Arc<QueuedReview>),
    /// Set an option for everything after it.
    SetOption {
        id: Option<String>,
        name: String,
        value: String,
        /// Fields that have no effect.
        warnings: Vec<String>,
        _share: BacklogShare,
    },
    /// Draw tiles for the first move, under the options set before it.
    Draw {
        id: Option<String>,
        players: Option<usize>,
        seed: Option<u64>,
        /// Fields that have no effect.
        warnings: Vec<String>,
        _share: BacklogShare,
    },
    /// Answer about a position without a search.
    Inspect {
        id: Option<String>,
        inspection: Box<Inspection>,
        _share: BacklogShare,
    },
}
