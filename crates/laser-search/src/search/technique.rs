//! What the search can do, each with a switch.

kernel::techniques! {
    /// A search technique. Off means the textbook fallback.
    pub enum Technique {
        /// Remember positions. Off: neither probe nor store.
        Table = "table",
        /// Read and write the table without locks, a torn entry being found out by its key. Off: under the lock of its set, as
        /// the seed's team did.
        LockFreeTable = "lock-free-table",
        /// Principal variation search (PVS): a null window after the first move (Marsland 1982). Off: full window.
        PrincipalVariation = "scout",
        /// Search zaps at the horizon until it is quiet. Off: the static value.
        Quiescence = "quiescence",
        /// Cut when the static value is far above beta (static null move, Heinz).
        ReverseFutility = "reverse-futility",
        /// Drop into quiescence when the static value is far below alpha (Strelka).
        Razoring = "razoring",
        /// Skip quiet moves that cannot lift the static value to alpha (Heinz).
        Futility = "futility",
        /// Skip quiet moves late in the order near the horizon.
        LateMovePruning = "late-move-pruning",
        /// Look at late quiet moves less deeply.
        Reductions = "reductions",
        /// Look less deeply where the table knows no move (Schröder).
        InternalReduction = "internal-reduction",
        /// One ply more when the enemy's beam stands on our king.
        CheckExtension = "check-extension",
        /// Two moves a ply that refuted siblings (Huberman).
        Killers = "killers",
        /// Scores of moves by what they did elsewhere (Schaeffer).
        Histories = "histories",
        /// Histories of a move as the answer to the move before (Stockfish's continuation history).
        Continuation = "continuation",
        /// Leave out laser coverage where the rest of the evaluation is far outside the window.
        LazyEvaluation = "lazy-evaluation",
    }
}
