//! What the search can do, each with a switch.

kernel::techniques! {
    /// A search technique. Off means the textbook fallback.
    pub enum Technique {
        /// Transposition table (TT): remember positions (Greenblatt 1967). Off: neither probe nor store.
        Table = "table",
        /// Read and write the table without locks, a torn entry being found out by its key (Hyatt and Mann 2002). Off: under
        /// the lock of its set, as players of the 2018 course did.
        LockFreeTable = "lock-free-table",
        /// Principal variation search (PVS): a null window after the first move (Marsland 1982). Off: full window.
        PrincipalVariation = "scout",
        /// Quiescence search (QS): zaps at the horizon until it is quiet (Shannon 1950). Off: the static value.
        Quiescence = "quiescence",
        /// Reverse futility pruning (RFP): cut when the static value is far above beta (static null move, Heinz 1998).
        ReverseFutility = "reverse-futility",
        /// Razoring: drop into quiescence when the static value is far below alpha (Strelka 2007).
        Razoring = "razoring",
        /// Futility pruning (FP): skip quiet moves that cannot lift the static value to alpha (Heinz 1998).
        Futility = "futility",
        /// Late move pruning (LMP): skip quiet moves late in the order near the horizon (move count pruning, Romstad 2006).
        LateMovePruning = "late-move-pruning",
        /// Late move reductions (LMR): search late quiet moves less deeply (Romstad 2006).
        Reductions = "reductions",
        /// Internal iterative reduction (IIR): search less deeply where the table has no move (Schröder 2020).
        InternalReduction = "internal-reduction",
        /// Check extension: one ply more when the enemy's beam stands on our king.
        CheckExtension = "check-extension",
        /// Killer heuristic: two moves a ply that refuted siblings (Huberman 1968).
        Killers = "killers",
        /// History heuristic: scores of moves by how they did elsewhere (Schaeffer 1983).
        Histories = "histories",
        /// Continuation history: histories of a move as the answer to the move before (Stockfish 2016).
        Continuation = "continuation",
        /// Lazy evaluation: leave out laser coverage where the rest of the evaluation is far outside the window.
        LazyEvaluation = "lazy-evaluation",
    }
}
