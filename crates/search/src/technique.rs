//! Everything the search does beyond visiting moves, as switches with one guard each.

kernel::techniques! {
    /// A technique of the chess search. "Off" is the textbook fallback.
    pub enum Technique {
        /// Alpha-beta pruning (Knuth and Moore 1975). Off: plain minimax.
        AlphaBeta = "alpha-beta",
        /// Iterative deepening (ID): one ply at a time (Slate and Atkin 1977). Off: straight to the depth limit.
        Deepening = "deepening",
        /// Aspiration windows: search a narrow window around the expected score (Marsland 1983). Off: full window.
        Aspiration = "aspiration",
        /// Principal variation search (PVS), (Marsland and Campbell 1982). Off: every move gets the full window.
        PrincipalVariation = "principal-variation",
        /// Quiescence search (QS): captures until the position is quiet (Shannon 1950). Off: evaluate at the horizon.
        Quiescence = "quiescence",
        /// Transposition table (TT): probe and store (Greenblatt 1967). Off: neither.
        Table = "table",
        /// Transposition table (TT) cutoffs: a stored score ends a node (Greenblatt 1967).
        TableCutoffs = "table-cutoffs",
        /// Hash move: the move of the transposition table (TT) comes first (Slate and Atkin 1977).
        TableMove = "table-move",
        /// Transposition table (TT) in quiescence search (Stockfish).
        QuiescenceTable = "quiescence-table",
        /// Lockless transposition table (Hyatt and Mann 2002). Off: one lock for each set.
        LockFreeTable = "lock-free-table",
        /// Most valuable victim first, the victims' half of MVV-LVA (chess programming wiki, "MVV-LVA"); the capture history
        /// takes the place of the attackers' half.
        VictimOrdering = "victim-ordering",
        /// Losing captures last, by static exchange evaluation (SEE), (Slate and Atkin 1977).
        ExchangeOrdering = "exchange-ordering",
        /// Quiet moves that give check come early (Stockfish).
        CheckOrdering = "check-ordering",
        /// Quiet moves away from an attack by a lesser piece come early, moves into one late (Stockfish).
        ThreatOrdering = "threat-ordering",
        /// Killer moves: quiet moves that refuted a sibling (Huberman 1968).
        Killers = "killers",
        /// Butterfly history: quiet moves that caused cutoffs anywhere (Schaeffer 1983), by threatened squares (Koivisto).
        ButterflyHistory = "butterfly-history",
        /// Capture history: captures that caused cutoffs (Stockfish).
        CaptureHistory = "capture-history",
        /// Continuation history: quiet moves that caused cutoffs after the moves before (Stockfish).
        ContinuationHistory = "continuation-history",
        /// Correction history by pawn structure (Caissa).
        PawnCorrection = "pawn-correction",
        /// Correction history by minor pieces (Stockfish).
        MinorCorrection = "minor-correction",
        /// Correction history by major pieces (Stockfish).
        MajorCorrection = "major-correction",
        /// Correction history by each side's pieces (Stockfish).
        NonPawnCorrection = "non-pawn-correction",
        /// Continuation correction history: by the last 2 moves (Stockfish).
        ContinuationCorrection = "continuation-correction",
        /// Continuation correction history: also by the moves 1 and 4 plies back (after Stockfish).
        FarContinuationCorrection = "far-continuation-correction",
        /// Scale a heuristic score towards 0 as the fifty-move rule nears (Stockfish).
        FiftyMoveScaling = "fifty-move-scaling",
        /// Mate distance pruning (MDP): prefer no mate longer than one already found (chess programming wiki).
        MateDistance = "mate-distance",
        /// Upcoming repetition detection by cuckoo tables (van Kervinck 2013).
        UpcomingRepetition = "upcoming-repetition",
        /// Fail-high score blending: scores far above beta move towards it (Stockfish).
        FailHighBlend = "fail-high-blend" | "tempering",
        /// Pawn history: quiet moves that caused cutoffs with these pawns (Stockfish).
        PawnHistory = "pawn-history",
        /// Prior move bonus: credit the move before when nothing answers it, or when the evaluation swings (Stockfish).
        PriorMoveCredit = "prior-move-credit",
        /// Prior move bonus: also where the move before is a capture (Stockfish).
        PriorCaptureCredit = "prior-capture-credit",
        /// Continuation history learns from a reduced move that is searched again (Stockfish).
        ReducedMoveCredit = "reduced-move-credit",
        /// The improving heuristic: prune less where the evaluation rises (Stockfish).
        Improving = "improving",
        /// Reverse futility pruning (RFP), also static null move pruning (Heinz 1998): trust an evaluation far above beta.
        ReverseFutility = "reverse-futility",
        /// Opponent worsening: reverse futility asks for less where the last move cost the opponent something (Stockfish).
        OpponentWorsening = "opponent-worsening",
        /// Razoring: verify an evaluation far below alpha by quiescence (Birmingham and Kent 1977).
        Razoring = "razoring",
        /// Null move pruning (NMP): pass and see (Beal 1989, Donninger 1993).
        NullMove = "null-move",
        /// Null move pruning (NMP) only where a cut is expected (Stockfish).
        NullMoveCutNode = "null-move-cut-node",
        /// Verified null move pruning: check a deep cutoff by a search without the null move (Plenkner 1995).
        NullMoveVerification = "null-move-verification",
        /// ProbCut: a good capture that beats beta by a margin in a shallow search (Buro 1995).
        ProbCut = "probcut",
        /// Internal iterative reduction (IIR): search a node without a table move less deeply (Schröder, Rebel).
        InternalReduction = "internal-reduction",
        /// Internal iterative reduction (IIR): also where the table's entry is much shallower (Stockfish).
        ShallowEntryReduction = "shallow-entry-reduction",
        /// Late move pruning (LMP), also move count pruning: skip late quiet moves near the horizon (Stockfish).
        LateMovePruning = "late-move-pruning",
        /// Futility pruning (FP): skip quiet moves that cannot reach alpha (Schaeffer 1986).
        Futility = "futility",
        /// History pruning: skip quiet moves with a bad history (Stockfish).
        HistoryPruning = "history-pruning",
        /// SEE pruning: skip moves that lose material near the horizon, by static exchange evaluation (Stockfish).
        ExchangePruning = "exchange-pruning",
        /// Late move reductions (LMR): search late moves less deeply (Fruit, Stockfish).
        LateMoveReductions = "late-move-reductions",
        /// Late move reductions (LMR): more at expected cut nodes (Stockfish).
        CutNodeReductions = "cut-node-reductions",
        /// Late move reductions (LMR): by the move's history (Stockfish).
        HistoryReductions = "history-reductions",
        /// Late move reductions (LMR): more at expected cut nodes without a table move (Stockfish).
        NoTableMoveReduction = "no-table-move-reduction",
        /// Late move extension: a late move with a negative reduction is searched a ply deeper (Stockfish).
        LateMoveExtension = "late-move-extension",
        /// Singular extensions (SE): extend a move that is better than all others (Anantharaman, Campbell and Hsu 1988).
        Singular = "singular",
        /// Double extension: extend by 2 plies when it is much better (Stockfish).
        DoubleExtension = "double-extension",
        /// Triple extension: extend by 3 plies when it is better still (Stockfish).
        TripleExtension = "triple-extension",
        /// Negative extension: reduce the table move when others are as good (Stockfish).
        NegativeExtension = "negative-extension",
        /// Multi-cut pruning: 2 moves that beat beta are enough (Björnsson and Marsland 2000).
        MultiCut = "multi-cut",
        /// Fail-high score blending in quiescence: a score above beta moves towards it (Stockfish).
        QuiescenceBlend = "quiescence-blend",
        /// Delta pruning: skip captures in quiescence that cannot reach alpha (chess programming wiki).
        QuiescenceFutility = "quiescence-futility",
        /// Move count pruning in quiescence: only the first moves, and no promotion to less than a queen (Stockfish).
        QuiescenceMoveCount = "quiescence-move-count",
        /// SEE pruning in quiescence: skip losing captures (chess programming wiki).
        QuiescenceExchange = "quiescence-exchange",
    }
}
