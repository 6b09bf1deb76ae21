// The games that a GPU plays, by the same code on a CPU, with fibers for lanes (warp.h): what lanes do together is tested without a GPU.
//
//     g++ -std=c++17 -O2 -U_FORTIFY_SOURCE -DEMULATED_WARP -o emulate emulate.cpp && ./emulate NETWORK GAMES [FIRST-LANE 0] [STRIDE 1]
//
// Prints the digests that check.cpp prints. Lanes take turns in the given order, which must make no difference.
#include "game.h"
#include "file.h"

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "emulate NETWORK GAMES [FIRST-LANE 0] [STRIDE 1]\n");
        return 2;
    }
    warp::first = argc > 3 ? atoi(argv[3]) : 0;
    warp::stride = argc > 4 ? atoi(argv[4]) : 1;
    if (warp::first < 0 || warp::first >= warp::COUNT || warp::stride < 1 || warp::stride % 2 == 0) {
        fprintf(stderr, "the first lane is 0 to 31, the stride an odd number\n");
        return 2;
    }
    std::vector<char> bytes;
    Network net;
    std::vector<int> last_bias;
    if (!read_network(argv[1], bytes, net, last_bias)) return 1;
    static Board board;
    static Entry table[1 << TABLE_BITS];
    static u64 keys[KEYS];
    static unsigned char record[RECORD_BYTES];
    std::vector<Vector> sums((MAX_PLY + 1) * SUMS);
    u64 digest = FIRST_DIGEST;
    for (int number = 0; number < atoi(argv[2]); number++) {
        int plies = 0;
        warp::launch([&] {
            Player me = {&board, net, table, keys, sums.data(), 0, 0, 0};
            Random random = {game_seed(CHECKED_SEED, (u64)number, 0)};
            int half_points;
            u32 nodes = 0;
            int found = play(me, random, CHECKED_SETTINGS, record, half_points, nodes);
            if (LANE == 0) plies = found;
        });
        if (!plies) continue;
        digest = digested(digest, record, (size_t)record_bytes(record, plies));
        printf("game %d digest %016llx\n", number, (unsigned long long)digest);
    }
    return 0;
}
