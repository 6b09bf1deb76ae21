// What the positions of a recorded game teach: the samples of `tabiya data convert` (crates/data/src/sample.rs).
#pragma once
#include "game.h"
#include <cmath>
#include <vector>

struct alignas(16) Sample {
    u64 occupied;
    u64 pieces[2];
    i16 score;
    unsigned char result, king, other_king, lambda_return_low, lambda_return_high, mark;
};
static_assert(sizeof(Sample) == 32, "32 bytes a sample");

inline u64 turned(u64 set, int color) {
    if (!color) return set;
    set = (set >> 8 & 0x00ff00ff00ff00ff) | (set & 0x00ff00ff00ff00ff) << 8;
    set = (set >> 16 & 0x0000ffff0000ffff) | (set & 0x0000ffff0000ffff) << 16;
    return set >> 32 | set << 32;
}

inline Sample sample_of(const Position &p, int score) {
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

inline int move_of_rank(const Position &p, int rank) {
    u32 list[256];
    int n = generate(p, list, false);
    for (int i = 0; i < n; i++)
        if (rank_of(list, n, (int)list[i]) == rank) return (int)list[i];
    return 0;
}

// Replays a record and appends what it teaches; answers its bytes, or 0 where it is no game. `lambda`: of the TD(lambda) target; `scale`: the
// score that multiplies the odds of a point by e.
inline size_t expand(const unsigned char *record, size_t room, float lambda, float scale, std::vector<Sample> &out) {
    if (room < 4) return 0;
    int plies = record[0] | record[1] << 8, opening_plies = record[2], half_points = record[3];
    size_t bytes = 4 + (size_t)opening_plies + 2 * (size_t)plies;
    if (!plies || plies > LONGEST || opening_plies > LONGEST_OPENING || half_points > 2 || bytes > room) return 0;
    Position p;
    start_position(p);
    std::vector<Sample> game;
    std::vector<char> turns;
    for (int i = 0; i < opening_plies + plies; i++) {
        int in_game = i - opening_plies;
        const unsigned char *at = record + 4 + (in_game < 0 ? i : opening_plies + 2 * in_game);
        int mv = move_of_rank(p, *at);
        if (!mv) return 0;
        if (in_game >= 0) {
            int score = score_of((signed char)at[1]);
            Sample sample = sample_of(p, score);
            sample.mark = !in_check(p) && !is_noisy(p, mv) && abs_of(score) <= LARGEST_SCORE ? 0 : 255;
            game.push_back(sample);
            turns.push_back((char)p.turn);
        }
        make(p, mv);
        if (is_attacked(p, p.king(p.turn ^ 1), p.turn)) return 0;
    }
    // From the last position to the first (crates/data/src/lambda_return.rs).
    float white = half_points / 2.0f;
    for (int i = plies - 1; i >= 0; i--) {
        Sample &s = game[i];
        float own = abs_of(s.score) >= MATE_SCORES ? (s.score > 0 ? 1.0f : 0.0f) : 1.0f / (1.0f + expf(-s.score / scale));
        white = (1.0f - lambda) * (turns[i] ? 1.0f - own : own) + lambda * white;
        u32 lambda_return = (u32)((turns[i] ? 1.0f - white : white) * 65535.0f + 0.5f);
        lambda_return = lambda_return > 65535 ? 65535 : lambda_return;
        s.lambda_return_low = lambda_return & 255;
        s.lambda_return_high = (unsigned char)(lambda_return >> 8);
        s.result = (unsigned char)(turns[i] ? 2 - half_points : half_points);
    }
    for (const Sample &s : game)
        if (s.mark == 0) out.push_back(s);
    return bytes;
}
