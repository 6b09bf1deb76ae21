// Games of self-play to samples for train.py, on all cores.
//
//     g++ -O3 -march=native -pthread -o expand expand.cpp
//     ./expand SAMPLES HELD-OUT SCALE LAMBDA GAMES...
//
// SCALE: the score that multiplies the odds of a point by e, as train.py's --scale (0.95 is a good LAMBDA). One game in a hundred
// goes to the held-out file, chosen by its moves, so the same game never changes sides.
#include "samples.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

static const size_t PART = 4096;  // games a core takes at once

static std::vector<unsigned char> read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    std::vector<unsigned char> bytes;
    unsigned char part[1 << 16];
    for (size_t n; (n = fread(part, 1, sizeof part, file));) bytes.insert(bytes.end(), part, part + n);
    fclose(file);
    return bytes;
}

static void write_part(FILE *file, const std::vector<Sample> &samples, const char *path) {
    if (fwrite(samples.data(), sizeof(Sample), samples.size(), file) == samples.size()) return;
    fprintf(stderr, "%s: cannot be written\n", path);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "expand SAMPLES HELD-OUT SCALE LAMBDA GAMES...\n");
        return 2;
    }
    float scale = (float)atof(argv[3]), lambda = (float)atof(argv[4]);
    if (!(scale > 0 && lambda >= 0 && lambda <= 1)) {
        fprintf(stderr, "SCALE is %s and LAMBDA %s, expected more than 0, and 0 to 1\n", argv[3], argv[4]);
        return 2;
    }
    FILE *out[2] = {fopen(argv[1], "wb"), fopen(argv[2], "wb")};
    if (!out[0] || !out[1]) {
        fprintf(stderr, "%s: cannot be written\n", argv[out[0] ? 2 : 1]);
        return 1;
    }
    size_t games = 0, plies = 0, samples[2] = {0, 0};
    for (int i = 5; i < argc; i++) {
        std::vector<unsigned char> bytes = read_all(argv[i]);
        // Where each part of the games begins.
        std::vector<size_t> starts;
        size_t at = 0, here = 0;
        for (; at + 4 <= bytes.size(); here++) {
            if (here % PART == 0) starts.push_back(at);
            plies += bytes[at] | bytes[at + 1] << 8;
            at += 4 + bytes[at + 2] + 2 * (size_t)(bytes[at] | bytes[at + 1] << 8);
        }
        if (at != bytes.size()) {
            fprintf(stderr, "%s: game %zu is cut off or damaged\n", argv[i], here);
            return 1;
        }
        games += here;
        starts.push_back(bytes.size());
        std::vector<std::vector<Sample>> found[2] = {std::vector<std::vector<Sample>>(starts.size()), std::vector<std::vector<Sample>>(starts.size())};
        std::atomic<size_t> next(0);
        std::atomic<bool> good(true);
        auto work = [&] {
            for (size_t part; (part = next++) + 1 < starts.size();)
                for (size_t place = starts[part]; place < starts[part + 1];) {
                    size_t room = starts[part + 1] - place, length = 4 + bytes[place + 2] + 2 * (size_t)(bytes[place] | bytes[place + 1] << 8);
                    bool aside = digested(FIRST_DIGEST, &bytes[place], length < room ? length : room) % 100 == 0;
                    size_t taken = expand(&bytes[place], room, lambda, scale, found[aside][part]);
                    if (!taken) {
                        fprintf(stderr, "%s: the game at byte %zu cannot be replayed\n", argv[i], place);
                        good = false;
                        break;
                    }
                    place += taken;
                }
        };
        std::vector<std::thread> cores;
        for (unsigned k = 0; k < std::max(1u, std::thread::hardware_concurrency()); k++) cores.emplace_back(work);
        for (auto &core : cores) core.join();
        if (!good) return 1;
        for (int file = 0; file < 2; file++)
            for (auto &part : found[file]) {
                write_part(out[file], part, argv[1 + file]);
                samples[file] += part.size();
            }
    }
    for (int file = 0; file < 2; file++)
        if (fclose(out[file])) {
            fprintf(stderr, "%s: cannot be written\n", argv[1 + file]);
            return 1;
        }
    printf("%zu games, %zu plies: %zu samples and %zu held out\n", games, plies, samples[0], samples[1]);
    return 0;
}
