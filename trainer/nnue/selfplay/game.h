// One game of the network against itself, and its record. The rules are those of `tabiya datagen`.
//
// A record is the plies of the game and the White player's half points, the moves of the random opening and then a byte of
// move and a byte of score a ply. A move is its rank among the pseudo-legal ones by from + 64 * to + 4096 * promotion, so a record does not
// depend on how moves are generated.
#pragma once
#include "search.h"

enum { LONGEST = 400, LONGEST_OPENING = 16, RECORD_BYTES = 4 + LONGEST_OPENING + 2 * LONGEST, LARGEST_SCORE = 3000 };

struct Settings {
    u32 soft, hard;
    int random_plies, lopsided;
};

struct Random {
    u64 state;
    DEVICE u32 below(u32 n) {
        state += 0x9e3779b97f4a7c15;
        return (u32)((mixed(state) >> 32) * n >> 32);
    }
};

struct Tally {
    unsigned long long games, plies, bytes, nodes, white, drawn, thrown;
};

DEVICE inline int abs_of(int x) { return x < 0 ? -x : x; }

// A score in a byte, finer near zero: sixteen steps in each of six ranges, and one code for what is beyond LARGEST_SCORE.
enum { RANGES = 6, BEYOND = 127 };
DEVICE inline int range_start(int range) { const int starts[RANGES] = {0, 32, 96, 288, 800, 1824}; return starts[range]; }
DEVICE inline int range_step(int range) { const int steps[RANGES] = {2, 4, 12, 32, 64, 80}; return steps[range]; }

DEVICE inline signed char score_code(int score) {
    int size = abs_of(score), code = BEYOND;
    if (size <= LARGEST_SCORE) {
        int range = 0;
        while (range + 1 < RANGES && size >= range_start(range + 1)) range++;
        code = 16 * range + (size - range_start(range)) / range_step(range);
    }
    return (signed char)(score < 0 ? -code : code);
}

// The middle of what a code stands for.
DEVICE inline int score_of(signed char code) {
    int size = abs_of(code);
    if (size == BEYOND) return code < 0 ? -MATE : MATE;
    int score = range_start(size / 16) + size % 16 * range_step(size / 16) + (range_step(size / 16) - 1) / 2;
    return code < 0 ? -score : score;
}

// The rank of a move in a list of moves.
DEVICE inline int rank_of(const u32 *list, int n, int mv) {
    int smaller = 0;
    for (int i = LANE; i < n; i += LANES) smaller += (int)(list[i] & 0xffff) < mv;
#ifdef WARP
    smaller = __reduce_add_sync(0xffffffff, smaller);
#endif
    return smaller;
}

// A random move that is legal, or 0.
DEVICE inline int random_move(Player &me, Random &random) {
    u32 *list = me.board->moves;
    int n = generate(me.board->stack[0], list, false);
    SYNC();
    while (n) {
        int at = (int)random.below(n), mv = (int)list[at] & 0xffff;
        if (enter(me, 0, mv)) return mv;
        u32 last = list[--n];
        SYNC();
        list[at] = last;
        SYNC();
    }
    return 0;
}

DEVICE inline void advance(Player &me, int mv) {
    enter(me, 0, mv);
    Position next = me.board->stack[1];
    SYNC();
    me.board->stack[0] = next;
    SYNC();
}

DEVICE inline void put(unsigned char *record, int at, int byte) {
    if (LANE == 0) record[at] = (unsigned char)byte;
}

// Plays random moves from the start position; their ranks go to `record` where there is one.
DEVICE inline bool opening(Player &me, Random &random, int plies, unsigned char *record) {
    SYNC();
    start_position(me.board->stack[0]);
    SYNC();
    me.length = 0;
    for (int i = 0; i < plies; i++) {
        int mv = random_move(me, random);
        if (!mv) return false;
        // random_move may have shuffled the list, and dropped moves from it.
        int n = generate(me.board->stack[0], me.board->moves, false);
        SYNC();
        if (record) put(record, i, rank_of(me.board->moves, n, mv));
        SYNC();
        advance(me, mv);
    }
    return true;
}

// Plays a game into `record`; answers its plies and leaves White's half points. 0: the opening was thrown away.
DEVICE inline int play(Player &me, Random &random, const Settings &settings, unsigned char *record, int &half_points, u32 &nodes) {
    Board &board = *me.board;
    int opening_plies = settings.random_plies + (int)random.below(2);
    if (!opening(me, random, opening_plies, record + 4)) return 0;
    for (int i = LANE; i < 1 << TABLE_BITS; i += LANES) me.table[i].key = 0;
    for (int i = LANE; i < 6 * 64; i += LANES) board.history[0][i] = board.history[1][i] = 0;
    for (int i = LANE; i <= MAX_PLY; i += LANES) board.killers[i] = 0;
    me.keys[0] = board.stack[0].key;
    SYNC();
    int level = 0, winning = 0, plies = 0;
    half_points = 1;
    for (;;) {
        refresh(me.net, board.stack[0], me.sums);
        int score, mv = think(me, settings.soft, settings.hard, score), turn = board.stack[0].turn;
        nodes += me.nodes;
        if (!plies && abs_of(score) > settings.lopsided) return 0;
        if (!mv) {
            half_points = in_check(board.stack[0]) ? (turn ? 2 : 0) : 1;
            break;
        }
        int n = generate(board.stack[0], board.moves, false);
        SYNC();
        put(record, 4 + opening_plies + 2 * plies, rank_of(board.moves, n, mv));
        put(record, 4 + opening_plies + 2 * plies + 1, score_code(score));
        plies++;
        advance(me, mv);
        me.length++;
        me.keys[me.length] = board.stack[0].key;
        SYNC();
        level = abs_of(score) <= 8 ? level + 1 : 0;
        int white = turn ? -score : score;
        if (abs_of(score) < 1200)
            winning = 0;
        else if (white > 0)
            winning = winning > 0 ? winning + 1 : 1;
        else
            winning = winning < 0 ? winning - 1 : -1;
        if (abs_of(winning) >= (abs_of(score) >= MATE_SCORES ? 2 : 5)) {
            half_points = winning > 0 ? 2 : 0;
            break;
        }
        const Position &now = board.stack[0];
        if ((plies >= 70 && level >= 12) || plies >= LONGEST || is_dead(now) || earlier(me, now, me.length) >= 2) break;
        // A mate on the hundredth half move counts before the draw.
        if (now.halfmoves >= 100 && !in_check(now)) break;
    }
    put(record, 0, plies & 255);
    put(record, 1, plies >> 8);
    put(record, 2, opening_plies);
    put(record, 3, half_points);
    SYNC();
    return plies;
}

ANYWHERE inline int record_bytes(const unsigned char *record, int plies) { return 4 + record[2] + 2 * plies; }

// Games that a GPU and a CPU must play alike: which ones, and a number that stands for all of them (FNV-1a).
enum { CHECKED_GAMES = 48, CHECKED_SEED = 7 };
const Settings CHECKED_SETTINGS = {200, 3000, 8, 300};
const u64 FIRST_DIGEST = 0xcbf29ce484222325;

DEVICE inline u64 game_seed(u64 seed, u64 player, u64 number) { return mixed(seed ^ mixed(player << 32 | number)); }

inline u64 digested(u64 digest, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) digest = (digest ^ bytes[i]) * 0x100000001b3;
    return digest;
}
