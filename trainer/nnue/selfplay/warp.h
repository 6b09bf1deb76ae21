// A warp on a CPU: thirty-two fibers that take turns wherever the lanes of a GPU wait for each other. Slow, and the lanes run one
// after another between two such places, so a missing SYNC shows as another result. check.cpp compiles with it (-DEMULATED_WARP).
#pragma once
#include <csetjmp>
#include <cstdint>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace warp {

enum { COUNT = 32, STACK = 1 << 18 };

struct Fiber {
    ucontext_t start;
    jmp_buf at;
    std::unique_ptr<char[]> stack;
    bool begun, ended;
};

inline Fiber fibers[COUNT];
inline ucontext_t outside;
inline jmp_buf finished;
inline int lane = 0;
// The order in which lanes take turns: from `first` in steps of `stride` (odd).
inline int first = 0, stride = 1;
// What each lane says and what it read, twice: a lane may say the next thing before another has read the last.
inline uint64_t said[2][COUNT];
inline int turn_of[COUNT];
inline std::function<void()> work;

inline void run() {
    work();
    fibers[lane].ended = true;
    for (lane = 0; lane < COUNT; lane++)
        if (!fibers[lane].ended) {
            if (fibers[lane].begun) longjmp(fibers[lane].at, 1);
            fibers[lane].begun = true;
            setcontext(&fibers[lane].start);
        }
    longjmp(finished, 1);
}

// Every lane comes here before any goes on.
inline void sync() {
    int mine = lane, next = (lane + stride) % COUNT;
    if (setjmp(fibers[mine].at)) return;
    lane = next;
    if (fibers[next].begun) longjmp(fibers[next].at, 1);
    fibers[next].begun = true;
    setcontext(&fibers[next].start);
}

// Runs `what` in every lane.
inline void launch(std::function<void()> what) {
    work = std::move(what);
    for (int i = 0; i < COUNT; i++) {
        Fiber &fiber = fibers[i];
        if (!fiber.stack) fiber.stack.reset(new char[STACK]);
        fiber.begun = fiber.ended = false;
        getcontext(&fiber.start);
        fiber.start.uc_stack.ss_sp = fiber.stack.get();
        fiber.start.uc_stack.ss_size = STACK;
        fiber.start.uc_link = nullptr;
        makecontext(&fiber.start, run, 0);
    }
    if (setjmp(finished)) return;
    lane = first;
    fibers[first].begun = true;
    setcontext(&fibers[first].start);
}

// All lanes' words, once all have said theirs.
inline const uint64_t *tell(uint64_t word) {
    int mine = lane, turn = turn_of[mine] ^= 1;
    said[turn][mine] = word;
    sync();
    return said[turn];
}

}

inline uint32_t __ballot_sync(uint32_t, bool yes) {
    const uint64_t *all = warp::tell(yes);
    uint32_t bits = 0;
    for (int i = 0; i < 32; i++) bits |= (uint32_t)all[i] << i;
    return bits;
}

inline bool __any_sync(uint32_t mask, bool yes) { return __ballot_sync(mask, yes) != 0; }
inline int __ffs(int bits) { return __builtin_ffs(bits); }

template <typename T> T __reduce_add_sync(uint32_t, T word) {
    const uint64_t *all = warp::tell((uint64_t)word);
    T sum = 0;
    for (int i = 0; i < 32; i++) sum += (T)all[i];
    return sum;
}

inline uint32_t __reduce_max_sync(uint32_t, uint32_t word) {
    const uint64_t *all = warp::tell(word);
    uint32_t most = 0;
    for (int i = 0; i < 32; i++) most = all[i] > most ? (uint32_t)all[i] : most;
    return most;
}

template <typename T> T __shfl_sync(uint32_t, T word, int from) { return (T)warp::tell((uint64_t)word)[from & 31]; }

template <typename T> T __shfl_xor_sync(uint32_t, T word, int bits) {
    int mine = warp::lane;
    return (T)warp::tell((uint64_t)word)[mine ^ bits];
}

template <typename T> T __shfl_up_sync(uint32_t, T word, int by) {
    int mine = warp::lane;
    return (T)warp::tell((uint64_t)word)[mine >= by ? mine - by : mine];
}
