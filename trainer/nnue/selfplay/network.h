// The network as crates/eval reads it, its hidden layer dealt out to the lanes of a warp: eight neurons a vector, vector by vector.
#pragma once
#include "rules.h"

enum { HIDDEN = 512, BUCKETS = 8, VECTORS = HIDDEN / (8 * LANES), QA = 255, QB = 64 };

struct alignas(16) Vector {
    u32 pairs[4];
};

struct Network {
    const Vector *first;  // 768 rows
    const Vector *bias;
    const Vector *last;   // for each bucket the mover's half, then the other
    const int *last_bias;
    int scale;
};

// A word holds two sums, low + 65536 * high, so that one addition adds both; read_network brings the first layer into this form.
DEVICE inline int low_of(u32 pair) { return (i16)pair; }
DEVICE inline int high_of(u32 pair) { return (int)(pair + 0x8000) >> 16; }

DEVICE inline Vector load(const Vector *at) {
#ifdef __CUDA_ARCH__
    uint4 v = __ldg((const uint4 *)at);
    return Vector{{v.x, v.y, v.z, v.w}};
#else
    return *at;
#endif
}

// A row's part for this lane.
DEVICE inline int place(int row, int k) { return row * (HIDDEN / 8) + k * LANES + LANE; }

DEVICE inline int row_of(int piece, int view, bool mirrored) {
    int color = piece >> 9, kind = piece >> 6 & 7, square = (piece & 63) ^ (view ? 56 : 0) ^ (mirrored ? 7 : 0);
    return (color != view) * 384 + kind * 64 + square;
}

DEVICE inline bool is_mirrored(const Position &p, int view) { return (p.king(view) & 7) >= 4; }

// The sums of both views of one position, dealt out to the lanes.
enum { SUMS = 2 * VECTORS * LANES };

DEVICE inline Vector *share(Vector *sums, int view, int k) { return sums + (view * VECTORS + k) * LANES + LANE; }

DEVICE inline void add(Vector &sum, const Vector &weights) {
    for (int i = 0; i < 4; i++) sum.pairs[i] += weights.pairs[i];
}

DEVICE inline void subtract(Vector &sum, const Vector &weights) {
    for (int i = 0; i < 4; i++) sum.pairs[i] -= weights.pairs[i];
}

// One view from the pieces on the board.
DEVICE CALLED inline void gather(const Network &net, const Position &p, int view, Vector *sum) {
    bool mirrored = is_mirrored(p, view);
    for (int k = 0; k < VECTORS; k++) sum[k] = load(net.bias + k * LANES + LANE);
    for (u64 pieces = p.occupied(); pieces; pieces &= pieces - 1) {
        int square = lowest(pieces), color = p.colors[1] >> square & 1;
        int row = row_of(piece_code(color, warp_kind_on(p, square), square), view, mirrored);
        for (int k = 0; k < VECTORS; k++) add(sum[k], load(net.first + place(row, k)));
    }
}

DEVICE inline void refresh(const Network &net, const Position &p, Vector *sums) {
    for (int view = 0; view < 2; view++) {
        Vector sum[VECTORS];
        gather(net, p, view, sum);
        for (int k = 0; k < VECTORS; k++) *share(sums, view, k) = sum[k];
    }
}

// The sums of a position from those of the one before it and the move between them.
DEVICE CALLED inline void update(const Network &net, const Position &before, const Position &after, int mv, Vector *old, Vector *sums) {
    int from = from_of(mv), to = to_of(mv), us = before.turn, them = us ^ 1, kind = warp_kind_on(before, from), taken = warp_kind_on(before, to);
    int left = piece_code(us, kind, from), placed = piece_code(us, promotion_of(mv) ? promotion_of(mv) : kind, to), gone = -1;
    if (taken != NONE)
        gone = piece_code(them, taken, to);
    else if (kind == PAWN && to == before.en_passant)
        gone = piece_code(them, PAWN, to ^ 8);
    for (int view = 0; view < 2; view++) {
        bool mirrored = is_mirrored(after, view);
        Vector sum[VECTORS];
        if (view == us && kind == KING && mirrored != is_mirrored(before, view)) {
            gather(net, after, view, sum);
        } else {
            // All loads first: none waits for another.
            Vector minus[VECTORS], plus[VECTORS], dead[VECTORS];
            int row = row_of(left, view, mirrored);
            for (int k = 0; k < VECTORS; k++) minus[k] = load(net.first + place(row, k));
            row = row_of(placed, view, mirrored);
            for (int k = 0; k < VECTORS; k++) plus[k] = load(net.first + place(row, k));
            if (gone >= 0) {
                row = row_of(gone, view, mirrored);
                for (int k = 0; k < VECTORS; k++) dead[k] = load(net.first + place(row, k));
            }
            for (int k = 0; k < VECTORS; k++) {
                sum[k] = *share(old, view, k);
                subtract(sum[k], minus[k]);
                add(sum[k], plus[k]);
                if (gone >= 0) subtract(sum[k], dead[k]);
            }
            if (is_castling(kind, from, to)) {
                int less = row_of(piece_code(us, ROOK, rook_from(from, to)), view, mirrored), more = row_of(piece_code(us, ROOK, rook_to(from, to)), view, mirrored);
                for (int k = 0; k < VECTORS; k++) {
                    subtract(sum[k], load(net.first + place(less, k)));
                    add(sum[k], load(net.first + place(more, k)));
                }
            }
        }
        for (int k = 0; k < VECTORS; k++) *share(sums, view, k) = sum[k];
    }
}

DEVICE inline int clipped(int x) { return x < 0 ? 0 : x > QA ? QA : x; }

DEVICE inline int activated(u32 pairs, u32 weights) {
    int low = clipped(low_of(pairs)), high = clipped(high_of(pairs));
    return low * low * (int)(i16)weights + high * high * ((int)weights >> 16);
}

DEVICE CALLED inline int evaluate(const Network &net, const Position &p, Vector *sums) {
    int bucket = (count(p.occupied()) - 2) / 4;
    bucket = bucket < BUCKETS ? bucket : BUCKETS - 1;
    int sum = 0;
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < VECTORS; k++) {
            Vector weights = load(net.last + place(2 * bucket + half, k));
            Vector values = *share(sums, p.turn ^ half, k);
            for (int i = 0; i < 4; i++) sum += activated(values.pairs[i], weights.pairs[i]);
        }
#ifdef WARP
    sum = __reduce_add_sync(0xffffffff, sum);
#endif
    long long output = (long long)(sum / QA) + net.last_bias[bucket];
    long long centipawns = output * net.scale / (QA * QB);
    return centipawns > 10000 ? 10000 : centipawns < -10000 ? -10000 : (int)centipawns;
}
