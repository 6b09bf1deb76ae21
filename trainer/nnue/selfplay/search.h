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

// What a node needs when the search comes back to it. One copy a warp: a recursive function would keep one a lane, and those were
// most of the traffic with memory.
struct Frame {
    i16 alpha, beta, best, eval;
    u16 best_move, table_move, mv, arena;
    signed char depth, state;
    unsigned char n, at, searched, bound, slot, flags;
};

// What the node waits for.
enum State { RAZOR, PASS, FIRST, NARROW, WIDE, CAPTURE };
enum Flags { IN_CHECK = 1, REDUCED = 2, NOISY = 4, MAY_PASS = 8, IMPROVING = 16 };

// What one player's warp shares.
struct Board {
    Position stack[MAX_PLY + 1];
    Frame frames[MAX_PLY + 2];
    u32 moves[MAX_MOVES];
    u16 killers[MAX_PLY + 1];
    i16 history[2][6 * 64];
};

struct Player {
    Board *board;
    Network net;
    Entry *table;
    u64 *keys;     // of the game and of the present line
    Vector *sums;  // SUMS for every ply
    int length;    // of the game
    u32 nodes, limit;
};

// How often the position at the end of a line stood on the board before.
DEVICE CALLED inline int earlier(const Player &me, const Position &p, int here) {
    int reach = p.halfmoves < here ? p.halfmoves : here, found = 0;
    for (int back = 4 + 2 * LANE; back <= reach; back += 2 * LANES) found += me.keys[here - back] == p.key;
#ifdef WARP
    if (reach >= 4) found = __reduce_add_sync(0xffffffff, found);
#endif
    return found;
}

// Moves the best of the rest to the front.
DEVICE CALLED inline u32 pick(u32 *list, int from, int n) {
    u32 best = 0;
    for (int i = from + LANE; i < n; i += LANES) {
        u32 candidate = (list[i] & 0xffff0000) | (u32)(0xffff - i);
        best = candidate > best ? candidate : best;
    }
#ifdef WARP
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

// Whether taking loses material when both sides take back with their least piece for as long as that pays. Each question is whether the side
// that may take gains more than `limit`: it does if it has a piece to take with, and what hangs is worth more than `limit` and what the other
// side gains then, which is the same question one step further on.
DEVICE CALLED inline bool exchange_loses(const Position &p, int mv, int kind, int taken) {
    int to = to_of(mv), limit = worth(taken) + 60, hanging = worth(kind), side = p.turn ^ 1;
    bool loses = false;
    u64 occupied = p.occupied() & ~(1ull << from_of(mv)), b = 1ull << to;
    u64 near = (pawn_attacks(1, b) & p.of(0, PAWN)) | (pawn_attacks(0, b) & p.of(1, PAWN)) | (knight_attacks(to) & p.kinds[KNIGHT]) | (king_attacks(to) & p.kinds[KING]);
    u64 diagonals = p.kinds[BISHOP] | p.kinds[QUEEN], straights = p.kinds[ROOK] | p.kinds[QUEEN];
    while (hanging > limit) {
        u64 all = (near | (bishop_attacks(to, occupied) & diagonals) | (rook_attacks(to, occupied) & straights)) & occupied, own = all & p.colors[side];
        if (!own) break;
        int least = PAWN;
        while (!(own & p.kinds[least])) least++;
        // A king takes only what nobody defends.
        if (least == KING && all & p.colors[side ^ 1]) break;
        u64 takers = own & p.kinds[least];
        occupied &= ~(takers & (0 - takers));
        limit = hanging - limit - 1;
        hanging = worth(least);
        side ^= 1;
        loses = !loses;
    }
    return loses;
}

// A piece is taken by one of more worth, and the exchange loses material.
DEVICE inline bool is_losing(const Position &p, int mv, int kind, int taken) {
    return taken != NONE && !promotion_of(mv) && kind != KING && worth(kind) > worth(taken) + 60 && exchange_loses(p, mv, kind, taken);
}

DEVICE CALLED inline void score_moves(const Player &me, const Position &p, int ply, u32 *list, int n, int table_move) {
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

DEVICE inline Entry *slot_of(const Player &me, const Position &p) { return me.table + (p.key & ((1 << TABLE_BITS) - 1)); }

// The position after a move, unless it leaves the king to be taken.
DEVICE CALLED inline bool enter(Player &me, int ply, int mv) {
    Position &child = me.board->stack[ply + 1];
    make_into(me.board->stack[ply], child, mv);
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L1 [%0];" ::"l"(slot_of(me, child)));
#endif
    return !warp_finds_attack(child, child.king(child.turn ^ 1), child.turn);
}

DEVICE inline int from_table(int score, int ply) { return score > MATE_SCORES ? score - ply : score < -MATE_SCORES ? score + ply : score; }
DEVICE inline int to_table(int score, int ply) { return score > MATE_SCORES ? score + ply : score < -MATE_SCORES ? score - ply : score; }

// Whether what is known of a position's score decides a narrow window.
DEVICE inline bool may_cut(const Entry &entry, int ply, int alpha, int beta) {
    return beta - alpha == 1 && entry.bound & (from_table(entry.score, ply) >= beta ? 2 : 1);
}

// The static score, or what is known of the position where that is nearer to the truth.
DEVICE inline int refined(const Entry &entry, const Position &p, int eval) {
    bool is_known = entry.key == p.key && entry.score < MATE_SCORES && entry.score > -MATE_SCORES && entry.bound & (entry.score > eval ? 2 : 1);
    return is_known ? entry.score : eval;
}

// The quiet move at `last` refuted its position: it is praised, and the quiet ones before it are blamed. Moves that share a record
// (two knights to one square) and are looked at together count once. A function of its own: inlined by nvcc 12 with all optimisations, it left
// other records than the same code on a CPU (`selfplay --check` finds that).
DEVICE CALLED inline void learn(Player &me, const Position &p, const u32 *list, int last, int depth) {
    int weight = depth * depth * 32;
    weight = weight > 1000 ? 1000 : weight;
    auto record_of = [&](int i) { return &me.board->history[p.turn][p.kind_on(from_of((int)list[i])) * 64 + to_of((int)list[i])]; };
    auto changed = [&](int old, int by) { return (i16)(old + by - old * weight / 16000); };
    SYNC();
#ifdef WARP
    for (int first = 0; first < last; first += 32) {
        int i = first + (int)LANE;
        bool blamed = i < last && !is_noisy(p, (int)list[i] & 0xffff);
        i16 *record = blamed ? record_of(i) : nullptr, next = blamed ? changed(*record, -weight) : (i16)0;
        SYNC();
        if (blamed) *record = next;
        SYNC();
    }
    if (LANE == 0) *record_of(last) = changed(*record_of(last), weight);
#else
    // As thirty-two lanes would do it.
    for (int first = 0; first < last; first += 32) {
        i16 next[32];
        for (int i = first; i < last && i < first + 32; i++) next[i - first] = is_noisy(p, (int)list[i] & 0xffff) ? 0 : changed(*record_of(i), -weight);
        for (int i = first; i < last && i < first + 32; i++)
            if (!is_noisy(p, (int)list[i] & 0xffff)) *record_of(i) = next[i - first];
    }
    *record_of(last) = changed(*record_of(last), weight);
#endif
    SYNC();
}

// The node at hand, in registers; the nodes above it are in frames.
struct Node {
    int depth, alpha, beta, best, eval, best_move, table_move, mv, arena, n, at, searched, bound;
    int slot;     // where its sums are, or those of the position before
    int pending;  // the move that leads from the sums to this position, or 0
    bool may_pass, check, noisy, reduced, improving;
};

DEVICE inline void push(Frame &frame, State state, const Node &node) {
    SYNC();
    int flags = (node.check ? IN_CHECK : 0) | (node.reduced ? REDUCED : 0) | (node.noisy ? NOISY : 0) | (node.may_pass ? MAY_PASS : 0) | (node.improving ? IMPROVING : 0);
    frame = {(i16)node.alpha,         (i16)node.beta,          (i16)node.best,     (i16)node.eval,         (u16)node.best_move,         (u16)node.table_move,
             (u16)node.mv,            (u16)node.arena,         (signed char)node.depth, (signed char)state,     (unsigned char)node.n,       (unsigned char)node.at,
             (unsigned char)node.searched, (unsigned char)node.bound, (unsigned char)node.slot, (unsigned char)flags};
    SYNC();
}

DEVICE inline void pop(const Frame &at, Node &node, int &state) {
    const Frame frame = at;
    state = frame.state;
    node = {frame.depth, frame.alpha, frame.beta, frame.best, frame.eval, frame.best_move, frame.table_move, frame.mv, frame.arena, frame.n, frame.at, frame.searched,
            frame.bound, frame.slot, 0, (frame.flags & MAY_PASS) != 0, (frame.flags & IN_CHECK) != 0, (frame.flags & NOISY) != 0, (frame.flags & REDUCED) != 0,
            (frame.flags & IMPROVING) != 0};
}

// What the search does next: begin a node, try to pass, list its moves, take the next one, leave its score in the table; begin a node
// of captures, take the next one; give `value` to the node above.
enum Step { ENTER, TRY_PASS, LIST, NEXT, KEEP, QUIESCE, NEXT_CAPTURE, GIVE };

// Alpha-beta from the root, without recursion. The score, or 0 with `stopped` where the nodes ran out; `root_move` is the best so far.
DEVICE inline int search(Player &me, int root_depth, int alpha, int beta, int &root_move, bool &stopped) {
    Board &board = *me.board;
    Step step = ENTER;
    Node node = {};
    node.depth = root_depth;
    node.alpha = alpha;
    node.beta = beta;
    node.may_pass = true;
    int ply = 0, above = 0, value = 0;
    stopped = false;

    auto bring_sums = [&] {
        if (!node.pending) return;
        update(me.net, board.stack[ply - 1], board.stack[ply], node.pending, me.sums + node.slot * SUMS, me.sums + ply * SUMS);
        node.slot = ply;
        node.pending = 0;
    };
    // Down to the position after the move at hand, which is on the stack.
    auto descend = [&](State state, int depth, int alpha, int beta, Step next) {
        push(board.frames[above++], state, node);
        node.pending = node.mv;
        node.arena += node.n;
        node.depth = depth;
        node.alpha = alpha;
        node.beta = beta;
        node.may_pass = true;
        ply++;
        step = next;
    };
    auto give = [&](int score) {
        value = score;
        step = GIVE;
    };
    auto may_tick = [&] {
        stopped = ++me.nodes >= me.limit;
        return !stopped;
    };

    for (;;) {
        const Position &p = board.stack[ply];
        u32 *list = board.moves + node.arena;
        bool narrow = node.beta - node.alpha == 1;
        switch (step) {
        case ENTER: {
            if (ply && (p.halfmoves >= 100 || is_dead(p) || earlier(me, p, me.length + ply))) {
                give(0);
                break;
            }
            Entry entry = *slot_of(me, p);
            node.check = in_check(p);
            if (node.check) node.depth++;
            if (node.depth <= 0 || ply >= MAX_PLY - 1 || node.arena > MAX_MOVES - 256) {
                step = QUIESCE;
                break;
            }
            if (!may_tick()) return 0;
            node.table_move = 0;
            if (entry.key == p.key) {
                node.table_move = entry.mv;
                if (ply && entry.depth >= node.depth && may_cut(entry, ply, node.alpha, node.beta)) {
                    give(from_table(entry.score, ply));
                    break;
                }
            }
            bring_sums();
            node.eval = node.check ? -INFINITE : evaluate(me.net, p, me.sums + node.slot * SUMS);
            // Two plies ago; a node in check has no score.
            int then = above >= 2 ? board.frames[above - 2].eval : (int)INFINITE;
            node.improving = !node.check && then != -INFINITE && node.eval > then;
            if (!node.check) node.eval = refined(entry, p, node.eval);
            node.n = node.at = node.searched = node.best_move = 0;
            node.best = -INFINITE;
            node.bound = 1;
            step = TRY_PASS;
            if (node.check || !ply || !narrow) break;
            if (node.depth <= 7 && node.eval - 85 * (node.depth - node.improving) >= node.beta && node.beta > -MATE_SCORES) {
                give(node.eval);
            } else if (node.depth <= 2 && node.eval + 300 * node.depth < node.alpha) {
                push(board.frames[above++], RAZOR, node);
                step = QUIESCE;
            }
            break;
        }

        case TRY_PASS: {
            step = LIST;
            bool pieces = p.colors[p.turn] & ~(p.kinds[PAWN] | p.kinds[KING]);
            if (node.check || !ply || !narrow || !node.may_pass || node.depth < 3 || node.eval < node.beta || !pieces) break;
            Position passed = p;
            pass(passed);
            SYNC();
            board.stack[ply + 1] = passed;
            me.keys[me.length + ply + 1] = passed.key;
            node.mv = 0;
            descend(PASS, node.depth - 3 - node.depth / 4, -node.beta, 1 - node.beta, ENTER);
            node.may_pass = false;
            break;
        }

        case LIST:
            node.n = generate(p, list, false);
            score_moves(me, p, ply, list, node.n, node.table_move);
            step = NEXT;
            break;

        case NEXT: {
            bool entered = false;
            while (!entered && node.at < node.n) {
                node.mv = (int)pick(list, node.at++, node.n);
                node.noisy = is_noisy(p, node.mv);
                // Only where the window is narrow: with these in the main lines too, the search was 250 Elo weaker.
                if (narrow && !node.noisy && node.best > -MATE_SCORES && !node.check) {
                    if (node.depth <= 4 && node.searched > 3 + node.depth * node.depth) continue;
                    if (node.depth <= 3 && node.eval + 80 + 90 * node.depth <= node.alpha) continue;
                }
                entered = enter(me, ply, node.mv);
            }
            if (!entered) {
                step = KEEP;
                if (!node.searched) give(node.check ? ply - MATE : 0);
                break;
            }
            me.keys[me.length + ply + 1] = board.stack[ply + 1].key;
            node.searched++;
            int reduction = 0;
            if (node.depth >= 3 && node.searched > 2 && !node.noisy && !node.check)
                reduction = 1 + (node.searched > 6) + (node.searched > 14) + (node.depth > 5);
            node.reduced = reduction;
            if (node.searched == 1)
                descend(FIRST, node.depth - 1, -node.beta, -node.alpha, ENTER);
            else
                descend(NARROW, node.depth - 1 - reduction, -node.alpha - 1, -node.alpha, ENTER);
            break;
        }

        case KEEP: {
            Entry kept = {p.key, (i16)to_table(node.best, ply), (u16)(node.best_move ? node.best_move : node.table_move), (signed char)node.depth, (unsigned char)node.bound, 0};
            SYNC();
            *slot_of(me, p) = kept;
            SYNC();
            give(node.best);
            break;
        }

        case QUIESCE: {
            if (!may_tick()) return 0;
            Entry entry = *slot_of(me, p);
            node.table_move = 0;
            if (entry.key == p.key) {
                if (may_cut(entry, ply, node.alpha, node.beta)) {
                    give(from_table(entry.score, ply));
                    break;
                }
                if (is_noisy(p, entry.mv)) node.table_move = entry.mv;
            }
            bring_sums();
            node.eval = evaluate(me.net, p, me.sums + node.slot * SUMS);
            node.best = refined(entry, p, node.eval);
            if (node.best >= node.beta || ply >= MAX_PLY - 1 || node.arena > MAX_MOVES - 256) {
                give(node.best);
                break;
            }
            node.alpha = node.best > node.alpha ? node.best : node.alpha;
            node.n = generate(p, list, true);
            score_moves(me, p, ply, list, node.n, node.table_move);
            node.at = 0;
            step = NEXT_CAPTURE;
            break;
        }

        case NEXT_CAPTURE: {
            bool entered = false;
            while (!entered && node.at < node.n) {
                node.mv = (int)pick(list, node.at++, node.n);
                int promotion = promotion_of(node.mv), kind = warp_kind_on(p, from_of(node.mv)), taken = warp_kind_on(p, to_of(node.mv));
                if (promotion && promotion != QUEEN) continue;
                // Not even what is taken for nothing brings the score near alpha.
                if (!promotion && node.eval + worth(taken) + 180 <= node.alpha) continue;
                if (is_losing(p, node.mv, kind, taken)) continue;
                entered = enter(me, ply, node.mv);
            }
            if (entered)
                descend(CAPTURE, 0, -node.beta, -node.alpha, QUIESCE);
            else
                give(node.best);
            break;
        }

        case GIVE: {
            if (!above) return value;
            int state;
            pop(board.frames[--above], node, state);
            if (state == RAZOR) {
                if (value > node.alpha) step = TRY_PASS;
                break;
            }
            ply--;
            int score = -value;
            if (state == PASS) {
                if (score >= node.beta)
                    give(score > MATE_SCORES ? node.beta : score);
                else
                    step = LIST;
                break;
            }
            if (state == NARROW && score > node.alpha && (node.reduced || score < node.beta)) {
                descend(WIDE, node.depth - 1, -node.beta, -node.alpha, ENTER);
                break;
            }
            step = state == CAPTURE ? NEXT_CAPTURE : NEXT;
            if (score <= node.best) break;
            node.best = score;
            bool raised = score > node.alpha;
            if (state == CAPTURE) {
                if (raised) node.alpha = score;
                if (score >= node.beta) give(score);
                break;
            }
            if (!ply && (node.searched == 1 || raised)) root_move = node.mv;
            if (raised) {
                node.alpha = score;
                node.best_move = node.mv;
                node.bound = 3;
            }
            if (score >= node.beta) {
                node.bound = 2;
                step = KEEP;
                if (!node.noisy) {
                    board.killers[ply] = (u16)node.mv;
                    learn(me, board.stack[ply], board.moves + node.arena, node.at - 1, node.depth);
                }
            }
            break;
        }
        }
    }
}

// Deepens until enough nodes are searched; the best move, or 0 where there is none. The sums of the position are in the first slot.
DEVICE inline int think(Player &me, u32 soft, u32 hard, int &score) {
    me.nodes = 0;
    me.limit = hard;
    int best = 0;
    bool stopped = false;
    score = 0;
    for (int depth = 1; depth < 24 && me.nodes < soft; depth++) {
        // A window around the last score, twice as wide after every failure.
        int mv = 0, found = 0, width = 25, alpha = depth < 4 ? -(int)INFINITE : score - width, beta = depth < 4 ? (int)INFINITE : score + width;
        for (;;) {
            found = search(me, depth, alpha, beta, mv, stopped);
            width *= 2;
            if (stopped)
                break;
            else if (found <= alpha && alpha > -INFINITE)
                alpha = width > 400 ? -(int)INFINITE : found - width;
            else if (found >= beta && beta < INFINITE)
                beta = width > 400 ? (int)INFINITE : found + width;
            else
                break;
        }
        if (stopped && best) break;
        best = mv;
        score = found;
        if (score > MATE_SCORES || score < -MATE_SCORES) break;
        if (!mv) break;
    }
    return best;
}
