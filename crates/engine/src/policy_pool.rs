//! The search pool under one of two policies: as released, or with techniques switched for study.

use crate::options::error::OptionError;
use chess::{Game, Move};
use eval::Evaluation;
use kernel::counters::Counters;
use kernel::table::TableTooLarge;
use kernel::{Clock, Control, Lab, Release, SearchSession, Sink, TechniqueSet};
use search::{
    Parameters, Peers, PlyStatistics, SearchPool, SearchPoolSettings, TablebaseSettings, Tablebases,
    Technique,
};
use std::sync::Arc;

pub(crate) struct PolicyPool {
    workers: Workers,
    evaluation: Evaluation,
}

enum Workers {
    Release(SearchPool<Release>),
    Lab(SearchPool<Lab<Technique>>),
}

macro_rules! either {
    ($workers:expr, $pool:ident => $body:expr) => {
        match $workers {
            Workers::Release($pool) => $body,
            Workers::Lab($pool) => $body,
        }
    };
}

/// What a pool is made from.
#[derive(Clone)]
pub(crate) struct PoolSetup {
    pub hash_megabytes: usize,
    pub workers: SearchPoolSettings,
    pub techniques: Option<TechniqueSet<Technique>>,
    pub evaluation: Evaluation,
    pub parameters: Parameters,
}

/// What other threads need to know of a pool.
#[derive(Clone)]
pub(crate) struct PoolHandle {
    pub control: Arc<Control>,
    /// The clock of its searches; a virtual one if their time is virtual.
    pub clock: Arc<dyn Clock>,
    /// Workers, real or virtual.
    pub workers: usize,
}

/// What one search reports and how it counts draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchTerms {
    pub lines: usize,
    /// In units of the evaluation.
    pub contempt: i32,
}

fn too_few_threads(error: &std::io::Error) -> OptionError {
    OptionError::failed("Threads", format!("{error}; the engine searches with the threads it got"))
}

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn too_large(error: TableTooLarge) -> OptionError {
    OptionError::failed("Hash", error)
}

impl PolicyPool {
    /// Fails when the table does not fit. Where the system gives fewer threads, fewer search.
    pub fn new(setup: &PoolSetup, clock: Arc<dyn Clock>) -> Result<PolicyPool, OptionError> {
        let workers = match setup.techniques {
            None => {
                Workers::Release(SearchPool::new(Release, setup.hash_megabytes, clock).map_err(too_large)?)
            }
            Some(set) => {
                Workers::Lab(SearchPool::new(Lab(set), setup.hash_megabytes, clock).map_err(too_large)?)
            }
        };
        let mut pool = PolicyPool { workers, evaluation: setup.evaluation.clone() };
        pool.configure(setup.workers)?;
        if setup.parameters != Parameters::default() {
            pool.set_parameters(setup.parameters.clone());
        }
        if setup.evaluation != Evaluation::default() {
            pool.set_evaluation(setup.evaluation.clone());
        }
        Ok(pool)
    }

    pub fn handle(&self) -> PoolHandle {
        either!(&self.workers, pool => {
            PoolHandle { control: pool.control(), clock: pool.clock(), workers: pool.threads() }
        })
    }

    /// Changes how the workers search together. Where the system gives fewer threads, fewer search.
    pub fn configure(&mut self, settings: SearchPoolSettings) -> Result<(), OptionError> {
        either!(&mut self.workers, pool => pool.set_pool_settings(settings))
            .map_err(|error| too_few_threads(&error))
    }

    /// Changes the size of the table. On failure it has its old size, or a smaller one.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), OptionError> {
        either!(&mut self.workers, pool => pool.resize(megabytes)).map_err(|error| {
            OptionError::failed("Hash", format!("{error}; the table has {} MB", self.hash_megabytes()))
        })
    }

    pub fn hash_megabytes(&self) -> usize {
        either!(&self.workers, pool => pool.shared().table.megabytes())
    }

    pub fn set_parameters(&mut self, parameters: Parameters) {
        either!(&mut self.workers, pool => pool.set_parameters(parameters));
    }

    /// Forgets what was found with the old evaluation.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation.clone();
        either!(&mut self.workers, pool => pool.set_evaluator(move || evaluation.evaluator()));
    }

    /// New workers and a clear table, after a panic left the old ones in an unknown state.
    pub fn recover(&mut self) {
        self.set_evaluation(self.evaluation.clone());
    }

    pub fn set_tablebases(&mut self, tables: Option<Arc<Tablebases>>, settings: TablebaseSettings) {
        either!(&mut self.workers, pool => pool.set_tablebases(tables, settings));
    }

    pub fn set_peers(&mut self, peers: Option<Arc<dyn Peers>>) {
        either!(&mut self.workers, pool => pool.set_peers(peers));
    }

    pub fn clear(&mut self) {
        either!(&mut self.workers, pool => pool.clear());
    }

    pub fn clear_table(&mut self) {
        either!(&mut self.workers, pool => pool.clear_table());
    }

    /// What the last search recorded at each ply; under the lab policy alone.
    pub fn ply_statistics(&self) -> Option<PlyStatistics> {
        match &self.workers {
            Workers::Release(_) => None,
            Workers::Lab(pool) => Some(pool.ply_statistics()),
        }
    }

    /// What the last search counted.
    pub fn counters(&self) -> Counters {
        either!(&self.workers, pool => pool.counters())
    }

    /// One search in a session that was opened before. False when a worker panicked: then the result is whatever was
    /// known, and the workers are new.
    pub fn search(
        &mut self,
        session: &Arc<SearchSession>,
        game: &Game,
        allowed: &[Move],
        terms: SearchTerms,
        sink: &mut dyn Sink<Move>,
    ) -> bool {
        either!(&mut self.workers, pool => {
            pool.contempt = terms.contempt;
            pool.lines = terms.lines;
            pool.search_in(session, game, allowed, sink);
            !pool.has_failed()
        })
    }
}
