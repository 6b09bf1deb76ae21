// Self-play on a GPU: every warp plays one game after another by itself, and leaves samples for train.py.
//
//     nvcc -O3 -arch=sm_90 -o selfplay selfplay.cu
//     ./selfplay NETWORK SAMPLES HELD-OUT SECONDS [SOFT-NODES 200] [SEED 1] [GIGABYTES 20] [WARPS 20]
//
// One game in a hundred goes to the held-out file. A run of other length or on another chip plays other games: which ones are
// finished in time depends on speed.
#include "game.h"
#include "file.h"
#include <chrono>

struct Room {
    Entry *table;
    u64 *keys;
    Sample *records;
    Sample *out[2];
    unsigned long long *filled;  // samples in each
    unsigned long long capacity[2];
    Tally *tally;
    volatile int *stop;
};

__global__ void __launch_bounds__(128, 5) play_games(Network net, Room room, Settings settings, u64 seed) {
    extern __shared__ char shared[];
    int in_block = threadIdx.x / 32, warp = blockIdx.x * (blockDim.x / 32) + in_block;
    Player me = {(Board *)shared + in_block, net, room.table + ((size_t)warp << TABLE_BITS), room.keys + (size_t)warp * KEYS, 0, 0, 0, false};
    Sample *records = room.records + (size_t)warp * LONGEST;
    for (u64 number = 0;; number++) {
        int stop = *room.stop;
        if (__shfl_sync(0xffffffff, stop, 0)) return;
        Random random = {mixed(seed ^ mixed((u64)warp << 32 | number))};
        int half_points;
        u32 nodes = 0;
        int plies = play(me, random, settings, records, half_points, nodes);
        __syncwarp();
        unsigned long long at = 0;
        int kept = 0, file = mixed(seed + number * 131 + warp) % 100 == 0;
        if (LANE == 0) {
            if (!plies) {
                atomicAdd(&room.tally->thrown, 1ull);
            } else {
                kept = label(records, plies, half_points, settings);
                at = atomicAdd(&room.filled[file], (unsigned long long)kept);
                atomicAdd(&room.tally->games, 1ull);
                atomicAdd(&room.tally->plies, (unsigned long long)plies);
                atomicAdd(&room.tally->samples, (unsigned long long)kept);
                atomicAdd(&room.tally->white, (unsigned long long)(half_points == 2));
                atomicAdd(&room.tally->drawn, (unsigned long long)(half_points == 1));
                for (int i = 0; i < plies; i++)
                    if (records[i].mark == 0 && at < room.capacity[file]) room.out[file][at++] = records[i];
            }
            atomicAdd(&room.tally->nodes, (unsigned long long)nodes);
        }
        __syncwarp();
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

static void write_out(const char *path, const Sample *from, unsigned long long count) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "%s: cannot be written\n", path);
        exit(1);
    }
    const size_t PART = 1 << 22;
    std::vector<Sample> part(PART);
    for (unsigned long long done = 0; done < count; done += PART) {
        size_t n = count - done < PART ? count - done : PART;
        must(cudaMemcpy(part.data(), from + done, n * sizeof(Sample), cudaMemcpyDeviceToHost), "samples");
        if (fwrite(part.data(), sizeof(Sample), n, file) != n) {
            fprintf(stderr, "%s: disk full after %llu samples\n", path, done);
            exit(1);
        }
    }
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "selfplay NETWORK SAMPLES HELD-OUT SECONDS [SOFT-NODES 200] [SEED 1] [GIGABYTES 20] [WARPS 20]\n");
        return 2;
    }
    auto option = [&](int at, double otherwise) { return argc > at ? atof(argv[at]) : otherwise; };
    double seconds = atof(argv[4]), gigabytes = option(7, 20);
    u32 soft = (u32)option(5, 200);
    u64 seed = (u64)option(6, 1);
    int warps = (int)option(8, 20);

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
    const int PER_BLOCK = 4;
    int blocks = chip.multiProcessorCount * warps / PER_BLOCK, players = blocks * PER_BLOCK;
    size_t shared = PER_BLOCK * sizeof(Board);
    must(cudaFuncSetAttribute(play_games, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared), "shared memory");
    must(cudaDeviceSetLimit(cudaLimitStackSize, 24 * 1024), "stack");
    int fitting = 0;
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, play_games, PER_BLOCK * 32, shared), "occupancy");
    printf("%s: %d players, %d of %d blocks fit on a multiprocessor, %zu bytes each\n", chip.name, players, fitting, warps / PER_BLOCK, shared);

    Room room;
    room.table = room_for<Entry>((size_t)players << TABLE_BITS, "tables");
    room.keys = room_for<u64>((size_t)players * KEYS, "keys");
    room.records = room_for<Sample>((size_t)players * LONGEST, "records");
    room.capacity[0] = (unsigned long long)(gigabytes * 1e9 / sizeof(Sample));
    room.capacity[1] = room.capacity[0] / 50;
    for (int file = 0; file < 2; file++) room.out[file] = room_for<Sample>(room.capacity[file], "samples");
    room.filled = room_for<unsigned long long>(2, "counts");
    room.tally = room_for<Tally>(1, "tally");
    int *stop;
    must(cudaHostAlloc((void **)&stop, sizeof(int), cudaHostAllocMapped), "stop");
    *stop = 0;
    int *stop_there;
    must(cudaHostGetDevicePointer((void **)&stop_there, stop, 0), "stop");
    room.stop = stop_there;

    // What the network's output is multiplied by multiplies the odds of a point by e; train.py wants the same --scale.
    Settings settings = {soft, 15 * soft, 8, 300, 0.95f, (float)net.scale};
    auto begun = std::chrono::steady_clock::now();
    auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
    // A stream of its own: copies on the games' stream would wait for their end.
    cudaStream_t watch;
    must(cudaStreamCreateWithFlags(&watch, cudaStreamNonBlocking), "stream");
    Tally *seen;
    must(cudaHostAlloc((void **)&seen, sizeof(Tally), cudaHostAllocDefault), "tally");
    play_games<<<blocks, PER_BLOCK * 32, shared>>>(net, room, settings, seed);
    must(cudaGetLastError(), "launch");
    for (double next = 30; elapsed() < seconds && cudaStreamQuery(0) == cudaErrorNotReady;) {
        struct timespec pause = {0, 50000000};
        nanosleep(&pause, nullptr);
        if (elapsed() < next) continue;
        next += 30;
        must(cudaMemcpyAsync(seen, room.tally, sizeof(Tally), cudaMemcpyDeviceToHost, watch), "tally");
        must(cudaStreamSynchronize(watch), "tally");
        fprintf(stderr, "%llu games, %llu samples, %.0f s left\n", seen->games, seen->samples, seconds - elapsed());
    }
    *stop = 1;
    must(cudaDeviceSynchronize(), "games");
    double took = elapsed();

    Tally tally;
    unsigned long long filled[2];
    must(cudaMemcpy(&tally, room.tally, sizeof tally, cudaMemcpyDeviceToHost), "tally");
    must(cudaMemcpy(filled, room.filled, sizeof filled, cudaMemcpyDeviceToHost), "counts");
    for (int file = 0; file < 2; file++) filled[file] = filled[file] < room.capacity[file] ? filled[file] : room.capacity[file];
    write_out(argv[2], room.out[0], filled[0]);
    write_out(argv[3], room.out[1], filled[1]);
    printf("%llu games in %.1f s (%llu openings thrown away): White won %llu, drawn %llu; %llu plies, %llu and %llu samples; %.0f nodes a ply, "
           "%.1f million nodes and %.0f plies a second\n",
           tally.games, took, tally.thrown, tally.white, tally.drawn, tally.plies, filled[0], filled[1], (double)tally.nodes / tally.plies,
           tally.nodes / took / 1e6, tally.plies / took);
    return 0;
}
