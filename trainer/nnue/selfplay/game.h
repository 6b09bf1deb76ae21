// One game of the network against itself, and what its positions teach. The rules are those of `tabiya datagen`, the records
// those of `tabiya data convert` (crates/data/src/sample.rs).
#pragma once
#include "search.h"
#include <cmath>

enum { LONGEST = 400 };

struct alignas(16) Sample {
    u64 occupied;
    u64 pieces[2];
    i16 score;
    unsigned char result, king, other_king, lambda_return_low, lambda_return_high, mark;
};
static_assert(sizeof(Sample) == 32, "32 bytes a sample");

struct Settings {
    u32 soft, hard;
    int random_plies, lopsided;
    float lambda, scale;
};

struct Random {
    u64 state;
    DEVICE u32 below(u32 n) {
        state += 0x9e3779b97f4a7c15;
        return (u32)((mixed(state) >> 32) * n >> 32);
    }
};

struct Tally {
    unsigned long long games, plies, samples, nodes, white, drawn, thrown;
};

DEVICE inline u64 turned(u64 set, int color) {
    if (!color) return set;
    set = (set >> 8 & 0x00ff00ff00ff00ff) | (set & 0x00ff00ff00ff00ff) << 8;
    set = (set >> 16 & 0x0000ffff0000ffff) | (set & 0x0000ffff0000ffff) << 16;
    return set >> 32 | set << 32;
}

DEVICE inline Sample sample_of(const Position &p, int score) {
    Sample s = {};
    s.occupied = turned(p.occupied(), p.turn);
    int i = 0;
    for (u64 set = s.occupied; set; set &= set - 1, i++) {
        int square = lowest(set) ^ (p.turn ? 56 : 0);
        u64 code = (u64)p.kind_on(square) | ((p.colors[p.turn] >> square & 1) ? 0 : 8);
        s.pieces[i >> 4] |= code << 4 * (i & 15);
    }
    s.score = (i16)score;
    s.king = (unsigned char)(p.king(p.turn) ^ (p.turn ? 56 : 0));
    s.other_king = (unsigned char)(p.king(p.turn ^ 1) ^ (p.turn ? 0 : 56));
    return s;
}

// A random move that is legal, or 0.
DEVICE inline int random_move(Player &me, Random &random) {
    u32 *list = me.board->moves;
    int n = generate(me.board->stack[0], list, false);
    SYNC();
    while (n) {
        int at = (int)random.below(n), mv = (int)list[at] & 0xffff;
        Change change;
        if (enter(me, 0, mv, change)) return mv;
        u32 last = list[--n];
        SYNC();
        list[at] = last;
        SYNC();
    }
    return 0;
}

DEVICE inline void advance(Player &me, int mv) {
    Change change;
    enter(me, 0, mv, change);
    Position next = me.board->stack[1];
    SYNC();
    me.board->stack[0] = next;
    SYNC();
}

DEVICE inline bool opening(Player &me, Random &random, int plies) {
    SYNC();
    start_position(me.board->stack[0]);
    SYNC();
    me.length = 0;
    for (int i = 0; i < plies; i++) {
        int mv = random_move(me, random);
        if (!mv) return false;
        advance(me, mv);
    }
    return true;
}

// How often the position stood on the board before.
DEVICE inline int earlier(const Player &me) {
    const Position &p = me.board->stack[0];
    int found = 0;
    for (int back = 4; back <= p.halfmoves && back <= me.length; back += 2) found += me.keys[me.length - back] == p.key;
    return found;
}

DEVICE inline int abs_of(int x) { return x < 0 ? -x : x; }

// Plays a game into `records`; answers its plies and leaves White's half points. 0: the opening was thrown away.
DEVICE inline int play(Player &me, Random &random, const Settings &settings, Sample *records, int &half_points, u32 &nodes) {
    Board &board = *me.board;
    if (!opening(me, random, settings.random_plies + (int)random.below(2))) return 0;
    for (int i = LANE; i < 1 << TABLE_BITS; i += LANES) me.table[i].key = 0;
    for (int i = LANE; i < 6 * 64; i += LANES) board.history[0][i] = board.history[1][i] = 0;
    for (int i = LANE; i <= MAX_PLY; i += LANES) board.killers[i] = 0;
    me.keys[0] = board.stack[0].key;
    SYNC();
    int level = 0, winning = 0, plies = 0;
    half_points = 1;
    for (;;) {
        Sums sums;
        refresh(me.net, board.stack[0], 0, sums);
        refresh(me.net, board.stack[0], 1, sums);
        int score, mv = think(me, sums, settings.soft, settings.hard, score), turn = board.stack[0].turn;
        nodes += me.nodes;
        if (!plies && abs_of(score) > settings.lopsided) return 0;
        if (!mv) {
            half_points = in_check(board.stack[0]) ? (turn ? 2 : 0) : 1;
            break;
        }
        const Position &p = board.stack[0];
        Sample record = sample_of(p, score);
        bool kept = !in_check(p) && !is_noisy(p, mv) && abs_of(score) <= 3000;
        record.mark = kept ? 0 : 255;
        record.result = (unsigned char)turn;
        if (LANE == 0) records[plies] = record;
        plies++;
        SYNC();
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
        if ((plies >= 70 && level >= 12) || plies >= LONGEST || is_dead(now) || earlier(me) >= 2) break;
        // A mate on the hundredth half move counts before the draw.
        if (now.halfmoves >= 100 && !in_check(now)) break;
    }
    return plies;
}

// The labels, from the last position to the first (crates/data/src/lambda_return.rs); answers how many samples stay.
DEVICE inline int label(Sample *records, int plies, int half_points, const Settings &settings) {
    float white = half_points / 2.0f;
    int kept = 0;
    for (int i = plies - 1; i >= 0; i--) {
        Sample &s = records[i];
        int turn = s.result, score = s.score;
        float own = abs_of(score) >= MATE_SCORES ? (score > 0 ? 1.0f : 0.0f) : 1.0f / (1.0f + expf(-score / settings.scale));
        white = (1.0f - settings.lambda) * (turn ? 1.0f - own : own) + settings.lambda * white;
        u32 lambda_return = (u32)((turn ? 1.0f - white : white) * 65535.0f + 0.5f);
        lambda_return = lambda_return > 65535 ? 65535 : lambda_return;
        s.lambda_return_low = lambda_return & 255;
        s.lambda_return_high = (unsigned char)(lambda_return >> 8);
        s.result = (unsigned char)(turn ? 2 - half_points : half_points);
        kept += s.mark == 0;
    }
    return kept;
}
