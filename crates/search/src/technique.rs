//! Everything the search does beyond visiting moves, as switches with one guard each.

kernel::techniques! {
    /// A technique of the chess search. "Off" is the textbook fallback.
    pub enum Technique {
        /// Cut what cannot matter (Knuth and Moore 1975). Off: plain minimax.
        AlphaBeta = "alpha-beta",
        /// Deepen one ply at a time (Slate and Atkin 1977). Off: straight to the depth limit.
        Deepening = "deepening",
        /// Guess the score and search a narrow window (Marsland 1983). Off: full window.
        Aspiration = "aspiration",
        /// Principal variation search (Marsland and Campbell 1982). Off: every move gets the full window.
        PrincipalVariation = "principal-variation",
        /// Follow captures to a quiet position (Shannon 1950). Off: evaluate at the horizon.
        Quiescence = "quiescence",
        /// Probe and store the transposition table (Greenblatt 1967). Off: neither.
        Table = "table",
        /// End a node with a stored score (Greenblatt 1967).
        TableCutoffs = "table-cutoffs",
        /// Try the stored move first (Slate and Atkin 1977).
        TableMove = "table-move",
        /// Use the table in quiescence too (Stockfish).
        QuiescenceTable = "quiescence-table",
        /// Share the table without locks (Hyatt and Mann 2002). Off: one lock for each set, as Leiserchess teams had it.
        LockFreeTable = "lock-free-table",
        /// Most valuable victim first.
        VictimOrdering = "victim-ordering",
        /// Losing captures last, by static exchange (Slate and Atkin 1977).
        ExchangeOrdering = "exchange-ordering",
        /// Quiet moves that give check come early (Stockfish).
        CheckOrdering = "check-ordering",
        /// Quiet moves that refuted a sibling (Huberman 1968).
        Killers = "killers",
        /// Quiet moves that have worked anywhere (Schaeffer 1983), by threatened squares (Koivisto).
        ButterflyHistory = "butterfly-history",
        /// Captures that have worked (Stockfish).
        CaptureHistory = "capture-history",
        /// Quiet moves that have worked after the moves before (Stockfish's continuation history).
        ContinuationHistory = "continuation-history",
        /// Correct the evaluation by pawn structure (Caissa).
        PawnCorrection = "pawn-correction",
        /// Correct the evaluation by minor pieces (Stockfish).
        MinorCorrection = "minor-correction",
        /// Correct the evaluation by major pieces (Stockfish).
        MajorCorrection = "major-correction",
        /// Correct the evaluation by each side's pieces (Stockfish).
        NonPawnCorrection = "non-pawn-correction",
        /// Correct the evaluation by the last two moves (Stockfish).
        ContinuationCorrection = "continuation-correction",
        /// Draw a heuristic score towards zero as the fifty-move rule nears (Stockfish).
        FiftyMoveScaling = "fifty-move-scaling",
        /// Prefer no mate longer than one already found.
        MateDistance = "mate-distance",
        /// See a repetition one move ahead (van Kervinck 2013).
        UpcomingRepetition = "upcoming-repetition",
        /// Draw scores far above beta towards it (Stockfish).
        FailHighBlend = "fail-high-blend" | "tempering",
        /// Quiet moves that have worked with these pawns (Stockfish).
        PawnHistory = "pawn-history",
        /// Credit the move before when nothing answers it, or when the evaluation swings (Stockfish).
        PriorMoveCredit = "prior-move-credit",
        /// Prune less where the evaluation rises.
        Improving = "improving",
        /// Trust an evaluation far above beta (Heinz's static null move).
        ReverseFutility = "reverse-futility",
        /// Verify an evaluation far below alpha by quiescence (Birmingham and Kent 1977).
        Razoring = "razoring",
        /// Pass and see (Beal 1989, Donninger 1993).
        NullMove = "null-move",
        /// Check a deep null-move cutoff by a search without it (Plenkner).
        NullMoveVerification = "null-move-verification",
        /// A good capture that beats beta by a margin in a shallow search (Buro 1995).
        ProbCut = "probcut",
        /// Search a node without a table move less deeply (Rebel, Schröder).
        InternalReduction = "internal-reduction",
        /// Skip late quiet moves near the horizon (move-count pruning).
        LateMovePruning = "late-move-pruning",
        /// Skip quiet moves that cannot reach alpha (Schaeffer 1986).
        Futility = "futility",
        /// Skip quiet moves with a bad record.
        HistoryPruning = "history-pruning",
        /// Skip moves that lose material near the horizon.
        ExchangePruning = "exchange-pruning",
        /// Look at late moves less deeply (Fruit, Stockfish).
        LateMoveReductions = "late-move-reductions",
        /// Reduce more at expected cut nodes (Stockfish).
        CutNodeReductions = "cut-node-reductions",
        /// Reduce by the move's record (Stockfish).
        HistoryReductions = "history-reductions",
        /// Extend a move that is better than all others (Anantharaman, Campbell and Hsu 1988; Stockfish).
        Singular = "singular",
        /// Extend twice when it is much better (Stockfish).
        DoubleExtension = "double-extension",
        /// Extend three times when it is enormously better (Stockfish).
        TripleExtension = "triple-extension",
        /// Reduce the table move when others are as good (Stockfish).
        NegativeExtension = "negative-extension",
        /// Two moves that beat beta are enough (Björnsson and Marsland 2000).
        MultiCut = "multi-cut",
        /// Skip captures in quiescence that cannot reach alpha (delta pruning).
        QuiescenceFutility = "quiescence-futility",
        /// Skip losing captures in quiescence.
        QuiescenceExchange = "quiescence-exchange",
    }
}
