//! A position with everything that a search of it needs, for programs that search many positions in
//! threads of their own.

use super::go::{plan, refuse_unknown_rack, run};
use super::sampled::SampledPlan;
use super::table::no_position;
use super::{
    Analysis, Engine, EngineError, Mode, SampledAnalysis, SampledRequest, SearchData,
    SearchDefaults, SearchRequest,
};
use crate::rules::Position;
use crate::search::clock::MoveTime;
use crate::search::{Budget, StopToken};

/// A position, the data of its searches, and the values that requests leave open. It needs no
/// engine, and clones share the data.
#[derive(Clone)]
pub struct SearchTask {
    /// The position, as the player to move sees it.
    pub position: Position,
    /// The data.
    pub data: SearchData,
    /// The values of a search where its request leaves them open.
    pub defaults: SearchDefaults,
}

impl Engine {
    /// The position on the table as a task, with the data that searches in this mode need.
    pub fn search_task(&self, mode: Mode) -> Result<SearchTask, EngineError> {
        let table = self.table.as_ref().ok_or_else(no_position)?;
        Ok(SearchTask {
            position: table.game.position().clone(),
            data: self.prepare(mode)?,
            defaults: self.options.search.clone(),
        })
    }
}

impl SearchTask {
    /// The search that the position gets: [`Mode::Auto`] becomes one of the others.
    pub fn method(&self, request: &SearchRequest) -> Result<Mode, EngineError> {
        let budget = Budget::new(StopToken::default(), None, None);
        let plan = plan(&self.position, &self.data, &self.defaults, request, budget)?;
        Ok(plan.method())
    }

    /// Searches in the calling thread. `time` is used instead of clocks.
    pub fn search(
        &self,
        request: &SearchRequest,
        time: Option<MoveTime>,
    ) -> Result<Analysis, EngineError> {
        refuse_unknown_rack(&self.position, self.position.end().is_some())?;
        let budget = Budget::new(StopToken::default(), request.time, time);
        let plan = plan(&self.position, &self.data, &self.defaults, request, budget)?;
        Ok(run(&self.position, &self.data, &plan))
    }

    /// Samples racks and searches them in the calling thread. `time` is used instead of clocks.
    pub fn search_sampled(
        &self,
        request: &SampledRequest,
        time: Option<MoveTime>,
    ) -> Result<SampledAnalysis, EngineError> {
        let budget = Budget::new(StopToken::default(), request.search.time, time);
        let (position, data) = (self.position.clone(), self.data.clone());
        let plan = SampledPlan::new(position, data, &self.defaults, request, budget)?;
        Ok(plan.run(&|_| {}))
    }
}
