// Self-play on a GPU: every warp plays one game after another by itself. Records of games (game.h) go to a file; expand.cpp makes samples of them.
//
//     nvcc -O3 -arch=sm_90 -o selfplay selfplay.cu
//     ./selfplay NETWORK GAMES SECONDS [SOFT-NODES 200] [SEED 1] [GIGABYTES 4]
//     ./selfplay NETWORK --check          # plays what check.cpp plays on a CPU
//
// A run of other length or on another chip plays other games: which ones are finished in time depends on speed.
#include "game.h"
#include "file.h"
#include <chrono>

// Blocks of four warps on a multiprocessor at once: what registers and shared memory allow.
#ifndef RESIDENT
#define RESIDENT 5
#endif
enum { PER_BLOCK = 4 };

struct Room {
    Entry *table;
    u64 *keys;
    Vector *sums;
    unsigned char *records;
    unsigned char *out;
    unsigned long long *filled;
    unsigned long long capacity;
    Tally *tally;
    u64 nanoseconds;  // no game begins later
    bool check;  // one game for each player, which stays in its record
};

DEVICE inline u64 nanoseconds_now() {
    u64 now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

__global__ void __launch_bounds__(32 * PER_BLOCK, RESIDENT) play_games(Network net, Room room, Settings settings, u64 seed) {
    extern __shared__ char shared[];
    int in_block = threadIdx.x / 32, warp = blockIdx.x * PER_BLOCK + in_block;
    Player me = {(Board *)shared + in_block, net, room.table + ((size_t)warp << TABLE_BITS), room.keys + (size_t)warp * KEYS, room.sums + (size_t)warp * (MAX_PLY + 1) * SUMS, 0, 0, 0};
    unsigned char *record = room.records + (size_t)warp * RECORD_BYTES;
    u64 begun = nanoseconds_now();
    for (u64 number = 0;; number++) {
        int stop = nanoseconds_now() - begun > room.nanoseconds || (room.check && number);
        if (__shfl_sync(0xffffffff, stop, 0)) return;
        Random random = {game_seed(seed, (u64)warp, number)};
        int half_points;
        u32 nodes = 0;
        int plies = play(me, random, settings, record, half_points, nodes);
        SYNC();
        unsigned long long at = 0;
        int bytes = plies ? record_bytes(record, plies) : 0;
        if (LANE == 0) {
            atomicAdd(&room.tally->nodes, (unsigned long long)nodes);
            if (!plies) {
                record[0] = record[1] = 0;
                atomicAdd(&room.tally->thrown, 1ull);
            } else {
                at = atomicAdd(room.filled, (unsigned long long)bytes);
                atomicAdd(&room.tally->games, 1ull);
                atomicAdd(&room.tally->plies, (unsigned long long)plies);
                atomicAdd(&room.tally->bytes, (unsigned long long)bytes);
                atomicAdd(&room.tally->white, (unsigned long long)(half_points == 2));
                atomicAdd(&room.tally->drawn, (unsigned long long)(half_points == 1));
            }
        }
        at = __shfl_sync(0xffffffff, at, 0);
        if (at + bytes > room.capacity) return;
        for (int i = LANE; i < bytes; i += 32) room.out[at + i] = record[i];
        SYNC();
    }
}

static void must(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

template <typename T> static T *room_for(size_t count, const char *what) {
    T *at;
    must(cudaMalloc(&at, count * sizeof(T)), what);
    must(cudaMemset(at, 0, count * sizeof(T)), what);
    return at;
}

static void write_out(const char *path, const unsigned char *from, unsigned long long count) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "%s: cannot be written\n", path);
        exit(1);
    }
    const size_t PART = 1 << 26;
    std::vector<unsigned char> part(PART);
    for (unsigned long long done = 0; done < count; done += PART) {
        size_t n = count - done < PART ? count - done : PART;
        must(cudaMemcpy(part.data(), from + done, n, cudaMemcpyDeviceToHost), "games");
        if (fwrite(part.data(), 1, n, file) != n) {
            fprintf(stderr, "%s: disk full after %llu bytes\n", path, done);
            exit(1);
        }
    }
    fclose(file);
}

static int tell_digest(const Room &room) {
    std::vector<unsigned char> records((size_t)CHECKED_GAMES * RECORD_BYTES);
    must(cudaMemcpy(records.data(), room.records, records.size(), cudaMemcpyDeviceToHost), "records");
    u64 digest = FIRST_DIGEST;
    for (int i = 0; i < CHECKED_GAMES; i++) {
        const unsigned char *record = &records[(size_t)i * RECORD_BYTES];
        int plies = record[0] | record[1] << 8;
        if (plies) digest = digested(digest, record, (size_t)record_bytes(record, plies));
    }
    printf("digest %016llx\n", (unsigned long long)digest);
    return 0;
}

int main(int argc, char **argv) {
    bool check = argc == 3 && !strcmp(argv[2], "--check");
    if (argc < 4 && !check) {
        fprintf(stderr, "selfplay NETWORK GAMES SECONDS [SOFT-NODES 200] [SEED 1] [GIGABYTES 4]\nselfplay NETWORK --check\n");
        return 2;
    }
    auto option = [&](int at, double otherwise) { return argc > at ? atof(argv[at]) : otherwise; };
    double seconds = option(3, 600), gigabytes = option(6, check ? 0.1 : 4);
    u32 soft = (u32)option(4, 200);
    u64 seed = check ? (u64)CHECKED_SEED : (u64)option(5, 1);

    std::vector<char> bytes;
    std::vector<int> last_bias;
    Network net;
    if (!read_network(argv[1], bytes, net, last_bias)) return 1;
    char *weights = room_for<char>(bytes.size(), "network");
    must(cudaMemcpy(weights, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "network");
    auto moved = [&](const Vector *at) { return (const Vector *)(weights + ((const char *)at - bytes.data())); };
    int *biases = room_for<int>(BUCKETS, "network");
    must(cudaMemcpy(biases, last_bias.data(), 4 * BUCKETS, cudaMemcpyHostToDevice), "network");
    net = {moved(net.first), moved(net.bias), moved(net.last), biases, net.scale};

    cudaDeviceProp chip;
    must(cudaGetDeviceProperties(&chip, 0), "device");
    size_t shared = PER_BLOCK * sizeof(Board);
    must(cudaFuncSetAttribute(play_games, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared), "shared memory");
    int fitting = 0;
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, play_games, PER_BLOCK * 32, shared), "occupancy");
    int blocks = check ? CHECKED_GAMES / PER_BLOCK : chip.multiProcessorCount * fitting, players = blocks * PER_BLOCK;
    cudaFuncAttributes made;
    must(cudaFuncGetAttributes(&made, play_games), "attributes");
    printf("%s: %d players, %d blocks on a multiprocessor; a block has %zu bytes of shared memory, a thread %d registers and %zu bytes of local memory\n", chip.name, players, fitting,
           shared, made.numRegs, made.localSizeBytes);

    Room room;
    room.table = room_for<Entry>((size_t)players << TABLE_BITS, "tables");
    room.keys = room_for<u64>((size_t)players * KEYS, "keys");
    room.sums = room_for<Vector>((size_t)players * (MAX_PLY + 1) * SUMS, "sums");
    room.records = room_for<unsigned char>((size_t)players * RECORD_BYTES, "records");
    room.capacity = (unsigned long long)(gigabytes * 1e9);
    room.out = room_for<unsigned char>(room.capacity, "games");
    room.filled = room_for<unsigned long long>(1, "counts");
    room.tally = room_for<Tally>(1, "tally");
    room.check = check;
    room.nanoseconds = (u64)(seconds * 1e9);

    Settings settings = check ? CHECKED_SETTINGS : Settings{soft, 15 * soft, 8, 300};
    auto begun = std::chrono::steady_clock::now();
    auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
    // A stream of its own: copies on the games' stream would wait for their end.
    cudaStream_t watch;
    must(cudaStreamCreateWithFlags(&watch, cudaStreamNonBlocking), "stream");
    Tally *seen;
    must(cudaHostAlloc((void **)&seen, sizeof(Tally), cudaHostAllocDefault), "tally");
    play_games<<<blocks, PER_BLOCK * 32, shared>>>(net, room, settings, seed);
    must(cudaGetLastError(), "launch");
    for (double next = 30; cudaStreamQuery(0) == cudaErrorNotReady;) {
        struct timespec pause = {0, 50000000};
        nanosleep(&pause, nullptr);
        if (elapsed() < next) continue;
        next += 30;
        must(cudaMemcpyAsync(seen, room.tally, sizeof(Tally), cudaMemcpyDeviceToHost, watch), "tally");
        must(cudaStreamSynchronize(watch), "tally");
        fprintf(stderr, "%llu games, %llu plies, %.0f s left\n", seen->games, seen->plies, seconds - elapsed());
    }
    must(cudaDeviceSynchronize(), "games");
    double took = elapsed();
    if (check) return tell_digest(room);

    Tally tally;
    must(cudaMemcpy(&tally, room.tally, sizeof tally, cudaMemcpyDeviceToHost), "tally");
    if (tally.bytes > room.capacity) fprintf(stderr, "the games fill the memory: the rest was not played (GIGABYTES)\n");
    write_out(argv[2], room.out, tally.bytes < room.capacity ? tally.bytes : room.capacity);
    printf("%llu games in %.1f s (%llu openings thrown away): White won %llu, drawn %llu; %llu plies in %llu bytes; %.0f nodes a ply, "
           "%.1f million nodes and %.0f plies a second\n",
           tally.games, took, tally.thrown, tally.white, tally.drawn, tally.plies, tally.bytes, (double)tally.nodes / tally.plies, tally.nodes / took / 1e6, tally.plies / took);
    return 0;
}
