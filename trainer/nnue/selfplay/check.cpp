// The GPU's rules and arithmetic on a CPU: perft against known counts, evaluations and samples to compare with the engine's
// (crates/data/tests/gpu_selfplay.rs does), and the games that `selfplay NETWORK --check` plays on a GPU, which must be the same.
//
//     g++ -O2 -o check check.cpp && ./check NETWORK [FEN ...]
#include "samples.h"
#include "file.h"
#include <cstdio>
#include <cstring>
#include <vector>

static bool read_fen(const char *fen, Position &p) {
    memset(&p, 0, sizeof p);
    int square = 56;
    for (; *fen && *fen != ' '; fen++) {
        const char *names = "pnbrqk";
        if (*fen == '/') square -= 16;
        else if (*fen >= '1' && *fen <= '8') square += *fen - '0';
        else {
            const char *found = strchr(names, *fen | 32);
            if (!found) return false;
            p.kinds[found - names] |= 1ull << square;
            p.colors[(*fen & 32) != 0] |= 1ull << square++;
        }
    }
    char turn, castling[8], passant[4];
    int halfmoves = 0;
    if (sscanf(fen, " %c %7s %3s %d", &turn, castling, passant, &halfmoves) < 3) return false;
    p.halfmoves = (unsigned char)halfmoves;
    p.turn = turn == 'b';
    for (int i = 0; i < 4; i++) p.castling |= strchr(castling, "KQkq"[i]) ? 1 << i : 0;
    p.en_passant = passant[0] == '-' ? 64 : (passant[0] - 'a') + 8 * (passant[1] - '1');
    fresh_key(p);
    return true;
}

static u64 perft(const Position &p, int depth) {
    u32 list[256];
    int n = generate(p, list, false);
    u64 nodes = 0;
    for (int i = 0; i < n; i++) {
        Position child = p;
        make(child, (int)list[i] & 0xffff);
        if (is_attacked(child, child.king(child.turn ^ 1), child.turn)) continue;
        Position fresh = child;
        fresh_key(fresh);
        if (fresh.key != child.key) {
            printf("a key went wrong\n");
            exit(1);
        }
        nodes += depth > 1 ? perft(child, depth - 1) : 1;
    }
    return nodes;
}

int main(int argc, char **argv) {
    struct { const char *fen; int depth; u64 nodes; } suite[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197281},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379},
    };
    bool good = true;
    for (auto &entry : suite) {
        Position p;
        u64 found = read_fen(entry.fen, p) ? perft(p, entry.depth) : 0;
        if (found != entry.nodes) printf("%s: perft %d is %llu, expected %llu\n", entry.fen, entry.depth, (unsigned long long)found, (unsigned long long)entry.nodes);
        good = good && found == entry.nodes;
    }
    if (!good) return 1;
    if (argc < 2) return 0;

    std::vector<char> bytes;
    Network net;
    std::vector<int> last_bias;
    if (!read_network(argv[1], bytes, net, last_bias)) return 1;
    std::vector<Vector> sums((MAX_PLY + 1) * SUMS);
    for (int i = 2; i < argc; i++) {
        Position p;
        if (!read_fen(argv[i], p)) return 1;
        refresh(net, p, sums.data());
        printf("eval %d sample ", evaluate(net, p, sums.data()));
        Sample sample = sample_of(p, 0);
        for (size_t k = 0; k < sizeof sample; k++) printf("%02x", ((unsigned char *)&sample)[k]);
        printf("\n");
    }

    static Board board;
    static Entry table[1 << TABLE_BITS];
    static u64 keys[KEYS];
    Player me = {&board, net, table, keys, sums.data(), 0, 0, 0};
    Tally tally = {};
    u64 digest = FIRST_DIGEST;
    std::vector<Sample> samples;
    for (int number = 0; number < CHECKED_GAMES; number++) {
        Random random = {game_seed(CHECKED_SEED, (u64)number, 0)};
        unsigned char record[RECORD_BYTES];
        int half_points;
        u32 nodes = 0;
        int plies = play(me, random, CHECKED_SETTINGS, record, half_points, nodes);
        tally.nodes += nodes;
        if (!plies) {
            tally.thrown++;
            continue;
        }
        size_t bytes = (size_t)record_bytes(record, plies), before = samples.size();
        digest = digested(digest, record, bytes);
        printf("game %d digest %016llx\n", number, (unsigned long long)digest);
        // Its record says the same again: as many bytes, and labels of the same result.
        if (expand(record, bytes, 0.95f, (float)net.scale, samples) != bytes || expand(record, bytes - 1, 0.95f, (float)net.scale, samples) != 0) {
            printf("a record cannot be replayed\n");
            return 1;
        }
        for (size_t i = before; i < samples.size(); i++)
            if (samples[i].result != half_points && samples[i].result != 2 - half_points) {
                printf("a sample has another result than its game\n");
                return 1;
            }
        tally.games++;
        tally.plies += (unsigned)plies;
        tally.bytes += bytes;
        tally.white += half_points == 2;
        tally.drawn += half_points == 1;
    }
    printf("%llu games (%llu openings thrown away): White won %llu, drawn %llu; %llu plies, %llu bytes, %zu samples, %.0f nodes a ply\n", tally.games, tally.thrown,
           tally.white, tally.drawn, tally.plies, tally.bytes, samples.size(), (double)tally.nodes / tally.plies);
    printf("digest %016llx\n", (unsigned long long)digest);
    return 0;
}
