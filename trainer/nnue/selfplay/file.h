// The network's file (crates/eval/src/nnue/network.rs) for the host.
#pragma once
#include "network.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Points into `bytes`; the checks of the engine's reader are not repeated here.
inline bool read_network(const char *path, std::vector<char> &bytes, Network &net, std::vector<int> &last_bias) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    const size_t expected = 64 + 2 * (768 * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN) + 4 * BUCKETS;
    bytes.resize(expected + 1);
    size_t found = fread(bytes.data(), 1, expected + 1, file);
    fclose(file);
    if (found != expected || memcmp(bytes.data(), "TABIYANN", 8)) {
        fprintf(stderr, "%s: no network of %d neurons (%zu bytes, expected %zu)\n", path, HIDDEN, found, expected);
        return false;
    }
    // Two sums in a word (see low_of): the lower half's sign is carried into the upper half.
    for (size_t i = 0; i < 769 * HIDDEN / 2; i++) {
        i16 pair[2];
        memcpy(pair, bytes.data() + 64 + 4 * i, 4);
        u32 word = (u32)(pair[1] * 65536 + pair[0]);
        memcpy(bytes.data() + 64 + 4 * i, &word, 4);
    }
    net.first = (const Vector *)(bytes.data() + 64);
    net.bias = net.first + 768 * HIDDEN / 8;
    net.last = net.bias + HIDDEN / 8;
    const char *biases = (const char *)(net.last + BUCKETS * 2 * HIDDEN / 8);
    last_bias.resize(BUCKETS);
    memcpy(last_bias.data(), biases, 4 * BUCKETS);
    net.last_bias = last_bias.data();
    memcpy(&net.scale, bytes.data() + 32, 4);
    return true;
}
