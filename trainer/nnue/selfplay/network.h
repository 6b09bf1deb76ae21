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

// One lane's share of both views.
struct Sums {
    Vector view[2][VECTORS];
};

DEVICE inline u32 plus(u32 a, u32 b) {
#ifdef __CUDA_ARCH__
    return __vadd2(a, b);
#else
    return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16;
#endif
}

DEVICE inline u32 minus(u32 a, u32 b) {
#ifdef __CUDA_ARCH__
    return __vsub2(a, b);
#else
    return ((a - b) & 0xffff) | ((a >> 16) - (b >> 16)) << 16;
#endif
}

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

DEVICE inline void refresh(const Network &net, const Position &p, int view, Sums &sums) {
    bool mirrored = is_mirrored(p, view);
    Vector sum[VECTORS];
    for (int k = 0; k < VECTORS; k++) sum[k] = load(net.bias + k * LANES + LANE);
    for (u64 pieces = p.occupied(); pieces; pieces &= pieces - 1) {
        int square = lowest(pieces), color = p.colors[1] >> square & 1;
        int row = row_of(piece_code(color, p.kind_on(square), square), view, mirrored);
        for (int k = 0; k < VECTORS; k++) {
            Vector weights = load(net.first + place(row, k));
            for (int i = 0; i < 4; i++) sum[k].pairs[i] = plus(sum[k].pairs[i], weights.pairs[i]);
        }
    }
    for (int k = 0; k < VECTORS; k++) sums.view[view][k] = sum[k];
}

// The sums of a position from those of the one before it.
DEVICE inline void update(const Network &net, const Position &before, const Position &after, const Change &change, const Sums &old, Sums &sums) {
    for (int view = 0; view < 2; view++) {
        bool mirrored = is_mirrored(after, view);
        if (mirrored != is_mirrored(before, view)) {
            refresh(net, after, view, sums);
            continue;
        }
        Vector sum[VECTORS];
        for (int k = 0; k < VECTORS; k++) sum[k] = old.view[view][k];
        for (int c = 0; c < change.removals; c++) {
            int row = row_of(change.removed[c], view, mirrored);
            for (int k = 0; k < VECTORS; k++) {
                Vector weights = load(net.first + place(row, k));
                for (int i = 0; i < 4; i++) sum[k].pairs[i] = minus(sum[k].pairs[i], weights.pairs[i]);
            }
        }
        for (int c = 0; c < change.additions; c++) {
            int row = row_of(change.added[c], view, mirrored);
            for (int k = 0; k < VECTORS; k++) {
                Vector weights = load(net.first + place(row, k));
                for (int i = 0; i < 4; i++) sum[k].pairs[i] = plus(sum[k].pairs[i], weights.pairs[i]);
            }
        }
        for (int k = 0; k < VECTORS; k++) sums.view[view][k] = sum[k];
    }
}

DEVICE inline int activated(u32 pairs, u32 weights) {
    int low = (int)(i16)pairs, high = (int)pairs >> 16;
    low = low < 0 ? 0 : low > QA ? QA : low;
    high = high < 0 ? 0 : high > QA ? QA : high;
    return low * low * (int)(i16)weights + high * high * ((int)weights >> 16);
}

DEVICE inline int evaluate(const Network &net, const Position &p, const Sums &sums) {
    int bucket = (count(p.occupied()) - 2) / 4;
    bucket = bucket < BUCKETS ? bucket : BUCKETS - 1;
    int sum = 0;
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < VECTORS; k++) {
            Vector weights = load(net.last + place(2 * bucket + half, k));
            const Vector &values = sums.view[p.turn ^ half][k];
            for (int i = 0; i < 4; i++) sum += activated(values.pairs[i], weights.pairs[i]);
        }
#ifdef __CUDA_ARCH__
    sum = __reduce_add_sync(0xffffffff, sum);
#endif
    long long output = (long long)(sum / QA) + net.last_bias[bucket];
    long long centipawns = output * net.scale / (QA * QB);
    return centipawns > 10000 ? 10000 : centipawns < -10000 ? -10000 : (int)centipawns;
}
