// One side of a duel (duel.cpp). No guard: it is included once for each search, inside that search's namespace.
class Duellist {
    Board board;
    Entry table[1 << TABLE_BITS];
    u64 keys[KEYS];
    Player me;

public:
    double seconds = 0, nodes = 0, moves = 0;

    // The network's layout is the same for both.
    explicit Duellist(const void *network) : board(), table(), keys(), me() {
        me.board = &board;
        me.table = table;
        me.keys = keys;
        memcpy(&me.net, network, sizeof me.net);
    }

    const Position &position() const { return board.stack[0]; }

    bool random_opening(u64 seed, int plies) {
        Random random = {seed};
        return opening(me, random, plies);
    }

    void begin(const void *position) {
        memset(&board, 0, sizeof board);
        memset(table, 0, sizeof table);
        memcpy(&board.stack[0], position, sizeof(Position));
        me.length = 0;
        keys[0] = board.stack[0].key;
    }

    int choose(int soft, int &score) {
        auto begun = std::chrono::steady_clock::now();
        Sums sums;
        refresh(me.net, board.stack[0], 0, sums);
        refresh(me.net, board.stack[0], 1, sums);
        int mv = think(me, sums, (u32)soft, 15 * (u32)soft, score);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        nodes += me.nodes;
        moves++;
        return mv;
    }

    void play_on(int mv) {
        advance(me, mv);
        keys[++me.length] = board.stack[0].key;
    }

    bool is_mated() const { return in_check(board.stack[0]); }

    bool is_drawn() const {
        const Position &p = board.stack[0];
        return is_dead(p) || earlier(me) >= 2 || (p.halfmoves >= 100 && !in_check(p));
    }
};
