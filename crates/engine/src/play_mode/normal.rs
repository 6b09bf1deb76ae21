//! Normal play: one search at full strength.

use super::turn::{Choice, Play, Reports, Turn};
use super::turn_search::TurnSearch;
use crate::policy_pool::SearchTerms;
use crate::report::{Information, Report};
use kernel::{Bound, Score};

pub(crate) struct Normal {
    pub terms: SearchTerms,
}

impl Normal {
    /// The turn, and the last exact score of the best line.
    pub fn play_and_tell(
        self,
        turn: &Turn,
        search: &mut TurnSearch<'_>,
        reports: &mut Reports,
    ) -> (Choice, Option<Score>) {
        let mut choice = Choice::default();
        let mut score = None;
        search.search_root(&turn.game, &turn.request.search_moves, self.terms, &mut |report| match report {
            Report::Best { best, ponder } => {
                choice = Choice { best, ponder };
                reports.answer(choice);
            }
            report => {
                if let Report::Information(Information {
                    rank: 1, bound: Bound::Exact, score: exact, ..
                }) = &report
                {
                    score = Some(*exact);
                }
                reports.send(report);
            }
        });
        (choice, score)
    }
}

impl Play for Normal {
    fn play(self: Box<Self>, turn: &Turn, search: &mut TurnSearch<'_>, reports: &mut Reports) -> Choice {
        self.play_and_tell(turn, search, reports).0
    }
}
