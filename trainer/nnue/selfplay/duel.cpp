// Is a change to the GPU's search worth it? The search before and the one here against each other on a CPU, from random
// openings, each with both colours. A thousand games of 300 nodes take half a minute.
//
//     git worktree add /tmp/before HEAD~1
//     g++ -O3 -march=native -DBEFORE='"/tmp/before/trainer/nnue/selfplay/duellist.h"' -o duel duel.cpp && ./duel NETWORK SOFT-NODES GAMES SEED
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace before {
#include BEFORE
}
namespace here {
#include "duellist.h"
}

static const int LOPSIDED = 250, WON = 1000, LEVEL = 8;

// White's half points. `white_is_new`: who plays White.
static int play(before::Duellist &old_one, here::Duellist &new_one, const here::Position &start, bool white_is_new, int soft) {
    old_one.begin(&start);
    new_one.begin(&start);
    int level = 0, winning = 0;
    for (int ply = 0; ply < here::LONGEST - 10; ply++) {
        int turn = new_one.position().turn, score;
        int mv = (turn == 0) == white_is_new ? new_one.choose(soft, score) : old_one.choose(soft, score);
        if (!mv) return new_one.is_mated() ? (turn ? 2 : 0) : 1;
        old_one.play_on(mv);
        new_one.play_on(mv);
        int white = turn ? -score : score;
        level = abs(score) <= LEVEL ? level + 1 : 0;
        winning = abs(score) < WON ? 0 : white > 0 ? (winning > 0 ? winning : 0) + 1 : (winning < 0 ? winning : 0) - 1;
        if (abs(winning) >= 5) return winning > 0 ? 2 : 0;
        if ((ply >= 70 && level >= 12) || new_one.is_drawn()) return 1;
    }
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "duel NETWORK SOFT-NODES GAMES SEED\n");
        return 2;
    }
    int soft = atoi(argv[2]), games = atoi(argv[3]), points[3] = {0, 0, 0};
    uint64_t seed = strtoull(argv[4], nullptr, 10);
    static_assert(sizeof(before::Position) == sizeof(here::Position), "the two can be compared");
    auto old_one = std::make_unique<before::Duellist>(argv[1]);
    auto new_one = std::make_unique<here::Duellist>(argv[1]);
    if (!old_one->ready || !new_one->ready) return 1;
    for (uint64_t number = 0; points[0] + points[1] + points[2] < games; number++) {
        int score;
        if (!new_one->random_opening(here::mixed(seed * 1000003 + number), 8 + number % 2)) continue;
        here::Position start = new_one->position();
        new_one->begin(&start);
        if (!new_one->choose(1000, score) || abs(score) > LOPSIDED) continue;
        points[play(*old_one, *new_one, start, true, soft)]++;
        points[2 - play(*old_one, *new_one, start, false, soft)]++;
    }
    double n = points[0] + points[1] + points[2], share = (points[2] + points[1] / 2.0) / n;
    double error = 1.96 * sqrt(((points[2] + points[1] / 4.0) / n - share * share) / n);
    auto elo = [](double share) { return 400 * log10(share / (1 - share)); };
    printf("+%d =%d -%d, Elo %+.0f (%+.0f to %+.0f); nodes a move %.0f before, %.0f here; nanoseconds a node %.0f and %.0f\n", points[2], points[1], points[0], elo(share),
           elo(share - error), elo(share + error), old_one->nodes / old_one->moves, new_one->nodes / new_one->moves, old_one->seconds / old_one->nodes * 1e9,
           new_one->seconds / new_one->nodes * 1e9);
    return 0;
}
