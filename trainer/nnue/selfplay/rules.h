// The rules of chess for a GPU: bitboards, moves made on a copy. Every lane of a warp does the same, so there is no branch that
// only some lanes take; what a warp shares lies in shared memory. The same file compiles for a CPU, where it is tested (check.cpp).
#pragma once
#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define DEVICE __device__
#define ANYWHERE __host__ __device__
#define CALLED __noinline__
#define LANES 32
#define LANE ((int)threadIdx.x & 31)
#define SYNC() __syncwarp()
#elif defined(EMULATED_WARP)
#include "warp.h"
#define DEVICE
#define ANYWHERE
#define CALLED __attribute__((noinline))
#define LANES 32
#define LANE warp::lane
#define SYNC() warp::sync()
#else
#define DEVICE
#define ANYWHERE
#define CALLED __attribute__((noinline))
#define LANES 1
#define LANE 0
#define SYNC()
#endif

// CALLED: not inlined. Warps are at different places of the program, which has to fit into the instruction cache: 84 million nodes a second
// with everything inlined (16,160 instructions), 112 million so (6,568).

// Code for lanes that work together; the other branch is for a CPU.
#if defined(__CUDA_ARCH__) || defined(EMULATED_WARP)
#define WARP
#endif

using std::size_t;
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef int16_t i16;

enum Kind { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NONE };
enum { MATE = 32000, MATE_SCORES = 31000, INFINITE = 32500, MAX_PLY = 40, MAX_MOVES = 768 };

DEVICE inline int lowest(u64 set) {
#ifdef __CUDA_ARCH__
    return __ffsll((long long)set) - 1;
#else
    return __builtin_ctzll(set);
#endif
}

DEVICE inline int count(u64 set) {
#ifdef __CUDA_ARCH__
    return __popcll(set);
#else
    return __builtin_popcountll(set);
#endif
}

DEVICE inline u64 reversed(u64 set) {
#ifdef __CUDA_ARCH__
    return __brevll(set);
#else
    set = (set >> 1 & 0x5555555555555555) | (set & 0x5555555555555555) << 1;
    set = (set >> 2 & 0x3333333333333333) | (set & 0x3333333333333333) << 2;
    set = (set >> 4 & 0x0f0f0f0f0f0f0f0f) | (set & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(set);
#endif
}

// A well mixed number: seeds and openings.
DEVICE inline u64 mixed(u64 x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

// A piece on a square as one number.
DEVICE inline int piece_code(int color, int kind, int square) { return color << 9 | kind << 6 | square; }

// A number for everything a position consists of: hashing without tables, in words of 32 bits as the chip multiplies them
// (the finalizer of MurmurHash3, with two starts).
DEVICE inline u32 scrambled(u32 x) {
    x = (x ^ x >> 16) * 0x85ebca6b;
    x = (x ^ x >> 13) * 0xc2b2ae35;
    return x ^ x >> 16;
}

DEVICE CALLED inline u64 part_key(u32 part) { return (u64)scrambled(part + 0x9e3779b9) << 32 | scrambled(part * 0x9e3779b1 + 0x7f4a7c15); }
DEVICE inline u64 piece_key(int color, int kind, int square) { return part_key((u32)piece_code(color, kind, square)); }
DEVICE inline u64 state_key(int castling, int en_passant) { return part_key(0x10000u | (u32)castling << 8 | (u32)en_passant); }
const u64 TURN_KEY = 0x7a3f9d1c5b8e2604;

struct Position {
    u64 kinds[6];
    u64 colors[2];  // right behind the kinds: lanes read the eight sets as one row
    u64 key;
    unsigned char turn;
    // Bits: white short, white long, black short, black long.
    unsigned char castling;
    // 64: none.
    unsigned char en_passant;
    unsigned char halfmoves;

    DEVICE u64 occupied() const { return colors[0] | colors[1]; }
    DEVICE u64 of(int color, int kind) const { return colors[color] & kinds[kind]; }
    DEVICE int king(int color) const { return lowest(of(color, KING)); }
    DEVICE int kind_on(int square) const {
        u64 bit = 1ull << square;
        if (!(occupied() & bit)) return NONE;
        int kind = 0;
        for (int k = 1; k < 6; k++) kind = kinds[k] & bit ? k : kind;
        return kind;
    }
};

// What stands on a square, asked by the whole warp: each lane looks at one set.
DEVICE inline int warp_kind_on(const Position &p, int square) {
#ifdef WARP
    u32 found = __ballot_sync(0xffffffff, (&p.kinds[0])[LANE & 7] >> square & 1) & 63;
    return found ? __ffs((int)found) - 1 : NONE;
#else
    return p.kind_on(square);
#endif
}

// A move: from, to, and in the upper bits the kind promoted to (0: none).
DEVICE inline int from_of(int mv) { return mv & 63; }
DEVICE inline int to_of(int mv) { return mv >> 6 & 63; }
DEVICE inline int promotion_of(int mv) { return mv >> 12 & 7; }

const u64 FILE_A = 0x0101010101010101, FILE_H = FILE_A << 7;

DEVICE inline u64 knight_attacks(int square) {
    u64 b = 1ull << square, l1 = b >> 1 & ~FILE_H, l2 = b >> 2 & ~(FILE_H | FILE_H >> 1);
    u64 r1 = b << 1 & ~FILE_A, r2 = b << 2 & ~(FILE_A | FILE_A << 1), h1 = l1 | r1, h2 = l2 | r2;
    return h1 << 16 | h1 >> 16 | h2 << 8 | h2 >> 8;
}

DEVICE inline u64 king_attacks(int square) {
    u64 b = 1ull << square, row = b | (b >> 1 & ~FILE_H) | (b << 1 & ~FILE_A);
    return (row | row << 8 | row >> 8) & ~b;
}

DEVICE inline u64 pawn_attacks(int color, u64 pawns) {
    u64 left = color ? pawns >> 9 & ~FILE_H : pawns << 7 & ~FILE_H;
    u64 right = color ? pawns >> 7 & ~FILE_A : pawns << 9 & ~FILE_A;
    return left | right;
}

// Hyperbola quintessence with the whole board reversed: one formula for files, ranks and diagonals.
DEVICE inline u64 line_attacks(u64 occupied, u64 piece, u64 mask) {
    u64 o = occupied & mask;
    return ((o - 2 * piece) ^ reversed(reversed(o) - 2 * reversed(piece))) & mask;
}

DEVICE inline u64 diagonal(int square) {
    int d = (square & 7) - (square >> 3);
    return d >= 0 ? 0x8040201008040201ull >> d * 8 : 0x8040201008040201ull << -d * 8;
}

DEVICE inline u64 anti_diagonal(int square) {
    int d = 7 - (square & 7) - (square >> 3);
    return d >= 0 ? 0x0102040810204080ull >> d * 8 : 0x0102040810204080ull << -d * 8;
}

DEVICE inline u64 bishop_attacks(int square, u64 occupied) {
    u64 b = 1ull << square;
    return (line_attacks(occupied, b, diagonal(square)) | line_attacks(occupied, b, anti_diagonal(square))) & ~b;
}

DEVICE inline u64 rook_attacks(int square, u64 occupied) {
    u64 b = 1ull << square;
    return (line_attacks(occupied, b, FILE_A << (square & 7)) | line_attacks(occupied, b, 0xffull << (square & 56))) & ~b;
}

DEVICE inline u64 attacks(int kind, int square, u64 occupied) {
    if (kind == KNIGHT) return knight_attacks(square);
    if (kind == KING) return king_attacks(square);
    u64 set = 0;
    if (kind != ROOK) set |= bishop_attacks(square, occupied);
    if (kind != BISHOP) set |= rook_attacks(square, occupied);
    return set;
}

DEVICE CALLED inline bool is_attacked(const Position &p, int square, int by) {
    u64 occupied = p.occupied(), us = p.colors[by];
    return pawn_attacks(by ^ 1, 1ull << square) & p.kinds[PAWN] & us || knight_attacks(square) & p.kinds[KNIGHT] & us ||
           king_attacks(square) & p.kinds[KING] & us || bishop_attacks(square, occupied) & (p.kinds[BISHOP] | p.kinds[QUEEN]) & us ||
           rook_attacks(square, occupied) & (p.kinds[ROOK] | p.kinds[QUEEN]) & us;
}

// The same, asked by the whole warp about one square: four lanes look along a line each.
DEVICE CALLED inline bool warp_finds_attack(const Position &p, int square, int by) {
#ifdef WARP
    u64 us = p.colors[by], b = 1ull << square, queens = p.kinds[QUEEN];
    bool straight = LANE & 2, second = LANE & 1;
    u64 mask = straight ? (second ? 0xffull << (square & 56) : FILE_A << (square & 7)) : (second ? anti_diagonal(square) : diagonal(square));
    u64 sliders = (queens | (straight ? p.kinds[ROOK] : p.kinds[BISHOP])) & us & ~b;
    bool found = line_attacks(p.occupied(), b, mask) & sliders || pawn_attacks(by ^ 1, b) & p.kinds[PAWN] & us ||
                 knight_attacks(square) & p.kinds[KNIGHT] & us || king_attacks(square) & p.kinds[KING] & us;
    return __any_sync(0xffffffff, found);
#else
    return is_attacked(p, square, by);
#endif
}

DEVICE inline bool in_check(const Position &p) { return warp_finds_attack(p, p.king(p.turn), p.turn ^ 1); }

DEVICE inline void toggle(Position &p, int color, int kind, int square) {
    u64 bit = 1ull << square;
    p.kinds[kind] ^= bit;
    p.colors[color] ^= bit;
    p.key ^= piece_key(color, kind, square);
}

// Where a castling king's rook comes from and goes to; `to`: the king's square.
DEVICE inline int rook_from(int from, int to) { return to > from ? to + 1 : to - 2; }
DEVICE inline int rook_to(int from, int to) { return (from + to) / 2; }
DEVICE inline bool is_castling(int kind, int from, int to) { return kind == KING && (from - to == 2 || to - from == 2); }

// The castling rights that a move leaves, as far as its squares tell.
DEVICE inline int kept_rights(int from, int to) {
    u64 touched = 1ull << from | 1ull << to;
    int gone = 0;
    if (touched & 0x90ull) gone |= 1;
    if (touched & 0x11ull) gone |= 2;
    if (touched & 0x90ull << 56) gone |= 4;
    if (touched & 0x11ull << 56) gone |= 8;
    return ~gone;
}

// Makes a pseudo-legal move; whether the king may be taken now is for the caller to see.
DEVICE inline void make(Position &p, int mv) {
    int from = from_of(mv), to = to_of(mv), us = p.turn, them = us ^ 1, kind = p.kind_on(from), taken = p.kind_on(to);
    int old_en_passant = p.en_passant, old_castling = p.castling;
    p.en_passant = 64;
    p.halfmoves++;
    if (taken != NONE) {
        toggle(p, them, taken, to);
        p.halfmoves = 0;
    }
    toggle(p, us, kind, from);
    toggle(p, us, promotion_of(mv) ? promotion_of(mv) : kind, to);
    if (kind == PAWN) {
        p.halfmoves = 0;
        if (to == old_en_passant) toggle(p, them, PAWN, to ^ 8);
        // Only where somebody could take: positions that are the same have the same key.
        if ((from ^ to) == 16 && pawn_attacks(us, 1ull << ((from + to) / 2)) & p.of(them, PAWN)) p.en_passant = (from + to) / 2;
    }
    if (is_castling(kind, from, to)) {
        toggle(p, us, ROOK, rook_from(from, to));
        toggle(p, us, ROOK, rook_to(from, to));
    }
    p.castling &= kept_rights(from, to);
    p.turn = them;
    p.key ^= TURN_KEY;
    if (p.castling != old_castling || p.en_passant != old_en_passant) p.key ^= state_key(old_castling, old_en_passant) ^ state_key(p.castling, p.en_passant);
}

// The position after a move. Where there are lanes, each of eight changes one set.
DEVICE inline void make_into(const Position &p, Position &child, int mv) {
#ifdef WARP
    int from = from_of(mv), to = to_of(mv), us = p.turn, them = us ^ 1, kind = warp_kind_on(p, from), taken = warp_kind_on(p, to);
    int placed = promotion_of(mv) ? promotion_of(mv) : kind, lane = LANE & 7;
    int old_en_passant = p.en_passant, old_castling = p.castling, castling = old_castling, en_passant = 64, halfmoves = p.halfmoves + 1;
    u64 key = p.key ^ TURN_KEY ^ piece_key(us, kind, from) ^ piece_key(us, placed, to), set = (&p.kinds[0])[lane], theirs = p.of(them, PAWN);
    auto flip = [&](int color, int what, int square) { set ^= lane == what || lane == 6 + color ? 1ull << square : 0; };
    flip(us, kind, from);
    flip(us, placed, to);
    if (taken != NONE) {
        flip(them, taken, to);
        key ^= piece_key(them, taken, to);
        halfmoves = 0;
    }
    if (kind == PAWN) {
        halfmoves = 0;
        if (to == old_en_passant) {
            flip(them, PAWN, to ^ 8);
            key ^= piece_key(them, PAWN, to ^ 8);
        }
        if ((from ^ to) == 16 && pawn_attacks(us, 1ull << ((from + to) / 2)) & theirs) en_passant = (from + to) / 2;
    }
    if (is_castling(kind, from, to)) {
        flip(us, ROOK, rook_from(from, to));
        flip(us, ROOK, rook_to(from, to));
        key ^= piece_key(us, ROOK, rook_from(from, to)) ^ piece_key(us, ROOK, rook_to(from, to));
    }
    if (castling) castling &= kept_rights(from, to);
    if (castling != old_castling || en_passant != old_en_passant) key ^= state_key(old_castling, old_en_passant) ^ state_key(castling, en_passant);
    SYNC();
    if (LANE < 8) (&child.kinds[0])[lane] = set;
    if (LANE == 0) {
        child.key = key;
        child.turn = them;
        child.castling = castling;
        child.en_passant = en_passant;
        child.halfmoves = halfmoves;
    }
    SYNC();
#else
    child = p;
    make(child, mv);
#endif
}

DEVICE inline void pass(Position &p) {
    p.key ^= state_key(p.castling, p.en_passant) ^ state_key(p.castling, 64) ^ TURN_KEY;
    p.en_passant = 64;
    p.halfmoves++;
    p.turn ^= 1;
}

DEVICE inline void fresh_key(Position &p) {
    p.key = state_key(p.castling, p.en_passant) ^ (p.turn ? TURN_KEY : 0);
    for (int color = 0; color < 2; color++)
        for (int kind = 0; kind < 6; kind++)
            for (u64 set = p.of(color, kind); set; set &= set - 1) p.key ^= piece_key(color, kind, lowest(set));
}

DEVICE inline void start_position(Position &p) {
    p.kinds[PAWN] = 0x00ff00000000ff00;
    p.kinds[KNIGHT] = 0x4200000000000042;
    p.kinds[BISHOP] = 0x2400000000000024;
    p.kinds[ROOK] = 0x8100000000000081;
    p.kinds[QUEEN] = 0x0800000000000008;
    p.kinds[KING] = 0x1000000000000010;
    p.colors[0] = 0xffff;
    p.colors[1] = 0xffffull << 48;
    p.turn = 0;
    p.castling = 15;
    p.en_passant = 64;
    p.halfmoves = 0;
    fresh_key(p);
}

DEVICE CALLED inline int add_pawn_moves(u32 *list, int n, u64 targets, int step, u64 last_row, bool noisy_only) {
    u64 plain = targets & ~last_row;
#ifdef WARP
    // A lane for each target: a lane looks after two squares.
    for (int to = LANE; to < 64; to += 32)
        if (plain >> to & 1) list[n + count(plain & ((1ull << to) - 1))] = (to - step) | to << 6;
    n += count(plain);
#else
    for (; plain; plain &= plain - 1) {
        int to = lowest(plain);
        list[n++] = (to - step) | to << 6;
    }
#endif
    for (targets &= last_row; targets; targets &= targets - 1) {
        int to = lowest(targets), mv = (to - step) | to << 6;
        list[n++] = mv | QUEEN << 12;
        list[n++] = mv | KNIGHT << 12;
        if (!noisy_only) {
            list[n++] = mv | ROOK << 12;
            list[n++] = mv | BISHOP << 12;
        }
    }
    return n;
}

// Two lanes for each piece, where there are lanes: one looks along diagonals, the other straight. The order is that of the squares
// either way. `list` has room for sixteen squares more than the moves.
DEVICE inline int add_piece_moves(const Position &p, u32 *list, int n, u64 pieces, u64 allowed) {
#ifdef WARP
    // Nobody has more than sixteen. The squares go where the moves will be.
    for (int square = LANE; square < 64; square += 32)
        if (pieces >> square & 1) list[n + count(pieces & ((1ull << square) - 1))] = square;
    SYNC();
    int mine = LANE & 15, from = 0;
    u64 targets = 0;
    if (mine < count(pieces)) {
        from = (int)list[n + mine];
        int kind = p.kind_on(from);
        bool straight = LANE & 16;
        if (kind == KNIGHT)
            targets = knight_attacks(from);
        else if (kind == KING)
            targets = king_attacks(from);
        else if (kind == QUEEN || straight == (kind == ROOK)) {
            u64 b = 1ull << from, occupied = p.occupied();
            u64 one = straight ? FILE_A << (from & 7) : diagonal(from), two = straight ? 0xffull << (from & 56) : anti_diagonal(from);
            targets = (line_attacks(occupied, b, one) | line_attacks(occupied, b, two)) & ~b;
        }
        targets &= allowed;
    }
    targets |= __shfl_xor_sync(0xffffffff, targets, 16);
    if (LANE & 16) targets = 0;
    int own = count(targets), up_to_here = own;
    for (int step = 1; step < 16; step *= 2) {
        int before = __shfl_up_sync(0xffffffff, up_to_here, step);
        if (LANE >= step) up_to_here += before;
    }
    SYNC();
    for (int at = n + up_to_here - own; targets; targets &= targets - 1) list[at++] = from | lowest(targets) << 6;
    n += __shfl_sync(0xffffffff, up_to_here, 15);
#else
    for (; pieces; pieces &= pieces - 1) {
        int from = lowest(pieces);
        for (u64 targets = attacks(p.kind_on(from), from, p.occupied()) & allowed; targets; targets &= targets - 1)
            list[n++] = from | lowest(targets) << 6;
    }
#endif
    return n;
}

// Pseudo-legal moves; `noisy`: captures and promotions alone (to queen and knight).
DEVICE CALLED inline int generate(const Position &p, u32 *list, bool noisy) {
    int us = p.turn, n = 0;
    u64 occupied = p.occupied(), theirs = p.colors[us ^ 1], last_row = us ? 0xffull : 0xffull << 56;
    u64 pawns = p.of(us, PAWN), free = ~occupied;
    u64 catchable = theirs | (p.en_passant < 64 ? 1ull << p.en_passant : 0);
    u64 left = (us ? pawns >> 9 & ~FILE_H : pawns << 7 & ~FILE_H) & catchable;
    u64 right = (us ? pawns >> 7 & ~FILE_A : pawns << 9 & ~FILE_A) & catchable;
    n = add_pawn_moves(list, n, left, us ? -9 : 7, last_row, noisy);
    n = add_pawn_moves(list, n, right, us ? -7 : 9, last_row, noisy);
    u64 one = (us ? pawns >> 8 : pawns << 8) & free;
    n = add_pawn_moves(list, n, noisy ? one & last_row : one, us ? -8 : 8, last_row, noisy);
    if (!noisy) {
        u64 two = (us ? (one & 0xffull << 40) >> 8 : (one & 0xffull << 16) << 8) & free;
        n = add_pawn_moves(list, n, two, us ? -16 : 16, last_row, noisy);
    }
    u64 allowed = noisy ? theirs : ~p.colors[us];
    n = add_piece_moves(p, list, n, p.colors[us] & ~p.kinds[PAWN], allowed);
    if (!noisy) {
        int row = us ? 56 : 0, rights = p.castling >> 2 * us;
        if (rights & 1 && !(occupied & 0x60ull << row) && !warp_finds_attack(p, row + 4, us ^ 1) && !warp_finds_attack(p, row + 5, us ^ 1))
            list[n++] = (row + 4) | (row + 6) << 6;
        if (rights & 2 && !(occupied & 0x0eull << row) && !warp_finds_attack(p, row + 4, us ^ 1) && !warp_finds_attack(p, row + 3, us ^ 1))
            list[n++] = (row + 4) | (row + 2) << 6;
    }
    return n;
}

DEVICE inline bool is_noisy(const Position &p, int mv) {
    return promotion_of(mv) || p.occupied() >> to_of(mv) & 1 || (to_of(mv) == p.en_passant && p.kinds[PAWN] >> from_of(mv) & 1);
}

// Nobody can mate.
DEVICE inline bool is_dead(const Position &p) {
    return !(p.kinds[PAWN] | p.kinds[ROOK] | p.kinds[QUEEN]) && count(p.occupied()) <= 3;
}
