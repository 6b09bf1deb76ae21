//! Normal play: one search at full strength.

use super::turn::{Choice, Play, Reports, Turn};
use super::turn_search::TurnSearch;
use crate::policy_pool::SearchTerms;
use crate::report::Report;

pub(crate) struct Normal {
    pub terms: SearchTerms,
}

impl Play for Normal {
    fn play(self: Box<Self>, turn: &Turn, search: &mut TurnSearch<'_>, reports: &mut Reports) -> Choice {
        let mut choice = Choice::default();
        search.search_root(&turn.game, &turn.request.search_moves, self.terms, &mut |report| match report {
            Report::Best { best, ponder } => {
                choice = Choice { best, ponder };
                reports.answer(choice);
            }
            report => reports.send(report),
        });
        choice
    }
}
