//! The searches other programs and papers describe, as technique sets of ours.

use crate::technique::Technique::{
    self, AlphaBeta, ButterflyHistory, Deepening, Killers, LateMoveReductions, PrincipalVariation,
    Quiescence, Table, TableCutoffs, TableMove, VictimOrdering,
};
use kernel::TechniqueSet;

/// A named set of techniques.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Name for command lines and reports.
    pub name: &'static str,
    /// What it stands for.
    pub about: &'static str,
    /// What is switched on.
    pub techniques: &'static [Technique],
}

impl Variant {
    /// The set itself. How the table is shared is no part of it and stays as it is.
    pub fn set(&self) -> TechniqueSet<Technique> {
        TechniqueSet::of(self.techniques).with(Technique::LockFreeTable)
    }

    /// The variant with this name.
    pub fn named(name: &str) -> Option<&'static Variant> {
        VARIANTS.iter().find(|variant| variant.name == name)
    }
}

/// Every variant, by its source. KLAS names its variants by what each lacks; MT, its fifth, is ST with four threads.
pub const VARIANTS: &[Variant] = &[
    Variant { name: "minimax", about: "pure minimax to a fixed depth", techniques: &[Deepening] },
    Variant {
        name: "klas-st",
        about: "KLAS, one thread: victim ordering, transposition table, iterative deepening",
        techniques: &[AlphaBeta, VictimOrdering, Table, TableCutoffs, TableMove, Deepening],
    },
    Variant {
        name: "klas-mo",
        about: "KLAS without victim ordering",
        techniques: &[AlphaBeta, Table, TableCutoffs, TableMove, Deepening],
    },
    Variant {
        name: "klas-tt",
        about: "KLAS whose table orders moves and ends no node",
        techniques: &[AlphaBeta, VictimOrdering, Table, TableMove, Deepening],
    },
    Variant {
        name: "klas-id",
        about: "KLAS without iterative deepening",
        techniques: &[AlphaBeta, VictimOrdering, Table, TableCutoffs, TableMove],
    },
    Variant {
        name: "adc-basic",
        about: "AlphaDeepChess: alpha-beta, quiescence, victim ordering, deepening",
        techniques: &[AlphaBeta, Quiescence, VictimOrdering, Deepening],
    },
    Variant {
        name: "adc-table",
        about: "AlphaDeepChess: basic and transposition table",
        techniques: &[AlphaBeta, Quiescence, VictimOrdering, Deepening, Table, TableCutoffs, TableMove],
    },
    Variant {
        name: "adc-killers",
        about: "AlphaDeepChess: table and killers with history",
        techniques: &[
            AlphaBeta,
            Quiescence,
            VictimOrdering,
            Deepening,
            Table,
            TableCutoffs,
            TableMove,
            Killers,
            ButterflyHistory,
        ],
    },
    Variant {
        name: "adc-reductions",
        about: "AlphaDeepChess: killers and late move reductions",
        techniques: &[
            AlphaBeta,
            Quiescence,
            VictimOrdering,
            Deepening,
            Table,
            TableCutoffs,
            TableMove,
            Killers,
            ButterflyHistory,
            PrincipalVariation,
            LateMoveReductions,
        ],
    },
];
