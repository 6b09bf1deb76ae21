// One side of a duel (duel.cpp). No guard: it is included once for each search, inside that search's namespace.
#include "file.h"
#include "game.h"

class Duellist {
    Board board;
    Entry table[1 << TABLE_BITS];
    u64 keys[KEYS];
    std::vector<Vector> sums;
    std::vector<char> bytes;
    std::vector<int> last_bias;
    Player me;

public:
    double seconds = 0, nodes = 0, moves = 0;
    bool ready;

    explicit Duellist(const char *network) : board(), table(), keys(), sums((MAX_PLY + 1) * SUMS), me() {
        me.board = &board;
        me.table = table;
        me.keys = keys;
        me.sums = sums.data();
        ready = read_network(network, bytes, me.net, last_bias);
    }

    const Position &position() const { return board.stack[0]; }

    bool random_opening(u64 seed, int plies) {
        Random random = {seed};
        return opening(me, random, plies, nullptr);
    }

    void begin(const void *position) {
        memset(&board, 0, sizeof board);
        memset(table, 0, sizeof table);
        memcpy(&board.stack[0], position, sizeof(Position));
        // The two may have keys of their own.
        fresh_key(board.stack[0]);
        me.length = 0;
        keys[0] = board.stack[0].key;
    }

    int choose(int soft, int &score) {
        auto begun = std::chrono::steady_clock::now();
        refresh(me.net, board.stack[0], me.sums);
        int mv = think(me, (u32)soft, 15 * (u32)soft, score);
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
        return is_dead(p) || earlier(me, p, me.length) >= 2 || (p.halfmoves >= 100 && !in_check(p));
    }
};
