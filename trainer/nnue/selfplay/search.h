// A small alpha-beta search: enough to play on for results that mean something, small enough for thousands of it at once.
#pragma once
#include "network.h"

struct Entry {
    u64 key;
    i16 score;
    u16 mv;
    signed char depth;
    unsigned char bound;  // 1: at most, 2: at least, 3: exact
    u16 spare;
};

enum { TABLE_BITS = 12, KEYS = 512 };

// What one player's warp shares.
struct Board {
    Position stack[MAX_PLY + 1];
    u32 moves[MAX_MOVES];
    u16 killers[MAX_PLY + 1];
    i16 history[2][6 * 64];
};

struct Player {
    Board *board;
    Network net;
    Entry *table;
    u64 *keys;   // of the game and of the present line
    int length;  // of the game
    u32 nodes, limit;
    bool stopped;
};

DEVICE inline bool is_repeated(const Player &me, const Position &p, int ply) {
    int here = me.length + ply;
    for (int back = 4; back <= p.halfmoves && back <= here; back += 2)
        if (me.keys[here - back] == p.key) return true;
    return false;
}

// Moves the best of the rest to the front.
DEVICE inline u32 pick(u32 *list, int from, int n) {
    u32 best = 0;
    for (int i = from + LANE; i < n; i += LANES) {
        u32 candidate = (list[i] & 0xffff0000) | (u32)(0xffff - i);
        best = candidate > best ? candidate : best;
    }
#ifdef __CUDA_ARCH__
    best = __reduce_max_sync(0xffffffff, best);
#endif
    int at = 0xffff - (int)(best & 0xffff);
    u32 found = list[at], front = list[from];
    SYNC();
    list[at] = front;
    list[from] = found;
    SYNC();
    return found & 0xffff;
}

// What pieces are worth to whoever trades them; the last is what is taken en passant.
DEVICE inline int worth(int kind) {
    const int values[7] = {130, 380, 400, 620, 1200, 0, 130};
    return values[kind];
}

// A defended piece is taken by one of more worth.
DEVICE inline bool is_losing(const Position &p, int mv, int kind, int taken) {
    return taken != NONE && !promotion_of(mv) && kind != KING && worth(kind) > worth(taken) + 60 && is_attacked(p, to_of(mv), p.turn ^ 1);
}

DEVICE inline void score_moves(const Player &me, const Position &p, int ply, u32 *list, int n, int table_move) {
    int killer = me.board->killers[ply];
    SYNC();
    for (int i = LANE; i < n; i += LANES) {
        int mv = (int)list[i] & 0xffff, kind = p.kind_on(from_of(mv)), taken = p.kind_on(to_of(mv)), score;
        if (mv == table_move)
            score = 65535;
        else if (taken != NONE || promotion_of(mv))
            score = (is_losing(p, mv, kind, taken) ? 10000 : 50000) + (taken == NONE ? 0 : taken + 1) * 64 - kind + (promotion_of(mv) == QUEEN ? 600 : promotion_of(mv) ? -20000 : 0);
        else if (mv == killer)
            score = 45000;
        else
            score = 20000 + me.board->history[p.turn][kind * 64 + to_of(mv)];
        list[i] = (u32)mv | (u32)score << 16;
    }
    SYNC();
}

// The position after a move, unless it leaves the king to be taken.
DEVICE inline bool enter(Player &me, int ply, int mv, Change &change) {
    Position &child = me.board->stack[ply + 1];
    Position p = me.board->stack[ply];
    make(p, mv, change);
    bool legal = !is_attacked(p, p.king(p.turn ^ 1), p.turn);
    SYNC();
    child = p;
    me.keys[me.length + ply + 1] = p.key;
    SYNC();
    return legal;
}

DEVICE inline int from_table(int score, int ply) { return score > MATE_SCORES ? score - ply : score < -MATE_SCORES ? score + ply : score; }
DEVICE inline int to_table(int score, int ply) { return score > MATE_SCORES ? score + ply : score < -MATE_SCORES ? score - ply : score; }

DEVICE inline Entry *slot_of(const Player &me, const Position &p) { return me.table + (p.key & ((1 << TABLE_BITS) - 1)); }

// Whether what is known of a position's score decides a narrow window.
DEVICE inline bool may_cut(const Entry &entry, int ply, int alpha, int beta) {
    return beta - alpha == 1 && entry.bound & (from_table(entry.score, ply) >= beta ? 2 : 1);
}

DEVICE inline bool tick(Player &me) {
    if (++me.nodes >= me.limit) me.stopped = true;
    return me.stopped;
}

DEVICE __attribute__((noinline)) int quiescence(Player &me, int ply, int alpha, int beta, const Sums &sums, int arena) {
    const Position &p = me.board->stack[ply];
    if (tick(me)) return 0;
    Entry entry = *slot_of(me, p);
    int table_move = 0;
    if (entry.key == p.key) {
        if (may_cut(entry, ply, alpha, beta)) return from_table(entry.score, ply);
        if (is_noisy(p, entry.mv)) table_move = entry.mv;
    }
    int best = evaluate(me.net, p, sums);
    if (best >= beta || ply >= MAX_PLY - 1 || arena > MAX_MOVES - 256) return best;
    alpha = best > alpha ? best : alpha;
    int stand = best;
    u32 *list = me.board->moves + arena;
    int n = generate(p, list, true);
    score_moves(me, p, ply, list, n, table_move);
    for (int i = 0; i < n; i++) {
        int mv = (int)pick(list, i, n), kind = p.kind_on(from_of(mv)), taken = p.kind_on(to_of(mv));
        if (promotion_of(mv) && promotion_of(mv) != QUEEN) continue;
        // Not even what is taken for nothing brings the score near alpha.
        if (!promotion_of(mv) && stand + worth(taken) + 180 <= alpha) continue;
        if (is_losing(p, mv, kind, taken)) continue;
        Change change;
        if (!enter(me, ply, mv, change)) continue;
        Sums child;
        update(me.net, p, me.board->stack[ply + 1], change, sums, child);
        int score = -quiescence(me, ply + 1, -beta, -alpha, child, arena + n);
        if (me.stopped) return 0;
        if (score > best) {
            best = score;
            alpha = score > alpha ? score : alpha;
            if (score >= beta) break;
        }
    }
    return best;
}

// The quiet move at `last` refuted its position: it is praised, and the quiet ones before it are blamed. Where two of them share a
// record (two knights to one square) either lane's word may stand: it is a guess all the same.
DEVICE inline void learn(Player &me, const Position &p, const u32 *list, int last, int depth) {
    int weight = depth * depth * 32;
    weight = weight > 1000 ? 1000 : weight;
    SYNC();
    for (int i = LANE; i <= last; i += LANES) {
        int mv = (int)list[i] & 0xffff;
        if (is_noisy(p, mv)) continue;
        i16 *record = &me.board->history[p.turn][p.kind_on(from_of(mv)) * 64 + to_of(mv)];
        int old = *record;
        *record = (i16)(old + (i == last ? weight : -weight) - old * weight / 16000);
    }
    SYNC();
}

// `root`: where to leave the best move of the root.
DEVICE __attribute__((noinline)) int search(Player &me, int ply, int depth, int alpha, int beta, const Sums &sums, int arena, bool may_pass, int *root) {
    const Position &p = me.board->stack[ply];
    if (ply && (p.halfmoves >= 100 || is_dead(p) || is_repeated(me, p, ply))) return 0;
    bool check = in_check(p);
    if (check) depth++;
    if (depth <= 0 || ply >= MAX_PLY - 1 || arena > MAX_MOVES - 256) return quiescence(me, ply, alpha, beta, sums, arena);
    if (tick(me)) return 0;

    Entry *slot = slot_of(me, p);
    Entry entry = *slot;
    int table_move = 0;
    if (entry.key == p.key) {
        table_move = entry.mv;
        if (ply && entry.depth >= depth && may_cut(entry, ply, alpha, beta)) return from_table(entry.score, ply);
    }

    int eval = check ? -INFINITE : evaluate(me.net, p, sums);
    if (!check && ply && beta - alpha == 1) {
        if (depth <= 7 && eval - 65 * depth >= beta && beta > -MATE_SCORES) return eval;
        if (depth <= 2 && eval + 300 * depth < alpha) {
            int score = quiescence(me, ply, alpha, beta, sums, arena);
            if (me.stopped) return 0;
            if (score <= alpha) return score;
        }
        if (may_pass && depth >= 3 && eval >= beta && p.colors[p.turn] & ~(p.kinds[PAWN] | p.kinds[KING])) {
            Position passed = p;
            pass(passed);
            SYNC();
            me.board->stack[ply + 1] = passed;
            me.keys[me.length + ply + 1] = passed.key;
            SYNC();
            int score = -search(me, ply + 1, depth - 3 - depth / 4, -beta, 1 - beta, sums, arena, false, nullptr);
            if (me.stopped) return 0;
            if (score >= beta) return score > MATE_SCORES ? beta : score;
        }
    }

    u32 *list = me.board->moves + arena;
    int n = generate(p, list, false);
    score_moves(me, p, ply, list, n, table_move);
    int best = -INFINITE, best_move = 0, searched = 0, bound = 1;
    for (int i = 0; i < n; i++) {
        int mv = (int)pick(list, i, n);
        bool noisy = is_noisy(p, mv);
        if (ply && !noisy && best > -MATE_SCORES && !check) {
            if (depth <= 4 && searched > 3 + depth * depth) continue;
            if (depth <= 3 && eval + 80 + 90 * depth <= alpha) continue;
        }
        Change change;
        if (!enter(me, ply, mv, change)) continue;
        Sums child;
        update(me.net, p, me.board->stack[ply + 1], change, sums, child);
        searched++;
        int score, reduction = 0;
        if (depth >= 3 && searched > 2 && !noisy && !check) reduction = 1 + (searched > 6) + (searched > 14) + (depth > 5);
        if (searched == 1) {
            score = -search(me, ply + 1, depth - 1, -beta, -alpha, child, arena + n, true, nullptr);
        } else {
            score = -search(me, ply + 1, depth - 1 - reduction, -alpha - 1, -alpha, child, arena + n, true, nullptr);
            if (!me.stopped && score > alpha && (reduction || score < beta))
                score = -search(me, ply + 1, depth - 1, -beta, -alpha, child, arena + n, true, nullptr);
        }
        if (me.stopped) return 0;
        if (score > best) {
            best = score;
            if (root && (searched == 1 || score > alpha)) *root = mv;
            if (score > alpha) {
                alpha = score;
                best_move = mv;
                bound = 3;
            }
            if (score >= beta) {
                bound = 2;
                if (!noisy) {
                    me.board->killers[ply] = (u16)mv;
                    learn(me, p, list, i, depth);
                }
                break;
            }
        }
    }
    if (!searched && best == -INFINITE) return check ? ply - MATE : 0;
    Entry kept = {p.key, (i16)to_table(best, ply), (u16)(best_move ? best_move : table_move), (signed char)depth, (unsigned char)bound, 0};
    SYNC();
    *slot = kept;
    SYNC();
    return best;
}

// Deepens until enough nodes are searched; the best move, or 0 where there is none.
DEVICE inline int think(Player &me, const Sums &sums, u32 soft, u32 hard, int &score) {
    me.nodes = 0;
    me.limit = hard;
    me.stopped = false;
    int best = 0;
    score = 0;
    for (int depth = 1; depth < 24 && me.nodes < soft; depth++) {
        int mv = 0, found = search(me, 0, depth, -INFINITE, INFINITE, sums, 0, true, &mv);
        if (me.stopped && best) break;
        best = mv;
        score = found;
        if (score > MATE_SCORES || score < -MATE_SCORES) break;
        if (!mv) break;
    }
    return best;
}
