//! The arithmetic, at the best level this CPU has. Every level gives the same numbers.
//!
//! Sums of rows are plain loops over chunks, compiled once for each level: the compiler turns them into the widest vectors
//! allowed. The output layer needs instructions it does not find by itself, so those are written out. The scalar twin is
//! the meaning of them all.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use super::chunk::Chunk;

/// How this CPU computes. Only levels that were detected can be made, which is what makes calling them sound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AVX-512 with VNNI: multiply and add in one instruction.
    #[cfg(target_arch = "x86_64")]
    Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Level {
    /// The twin that every CPU has.
    pub const SCALAR: Level = Level(Kind::Scalar);

    /// Everything this CPU can do, plainest first.
    #[cfg(target_arch = "x86_64")]
    pub fn available() -> Vec<Level> {
        let avx2 = is_x86_feature_detected!("avx2");
        let avx512 = avx2 && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        let vnni = avx512 && is_x86_feature_detected!("avx512vnni");
        let levels = [(true, Kind::Scalar), (avx2, Kind::Avx2), (avx512, Kind::Avx512), (vnni, Kind::Vnni)];
        levels.into_iter().filter(|(here, _)| *here).map(|(_, kind)| Level(kind)).collect()
    }

    #[cfg(target_arch = "aarch64")]
    pub fn available() -> Vec<Level> {
        let neon = std::arch::is_aarch64_feature_detected!("neon");
        let levels = [(true, Kind::Scalar), (neon, Kind::Neon)];
        levels.into_iter().filter(|(here, _)| *here).map(|(_, kind)| Level(kind)).collect()
    }

    /// A WebAssembly module cannot ask: it is compiled with vectors or without.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub fn available() -> Vec<Level> {
        vec![Level::SCALAR, Level(Kind::Simd128)]
    }

    #[cfg(not(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    pub fn available() -> Vec<Level> {
        vec![Level::SCALAR]
    }

    pub fn best() -> Level {
        Level::available().pop().unwrap_or(Level::SCALAR)
    }

    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Vnni => "avx512-vnni",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128 => "simd128",
        }
    }

    /// `source` plus some rows minus others, in one pass.
    #[inline]
    pub(super) fn update<const ADDED: usize, const REMOVED: usize>(
        self,
        source: &[Chunk],
        out: &mut [Chunk],
        added: [&[Chunk]; ADDED],
        removed: [&[Chunk]; REMOVED],
    ) {
        match self.0 {
            Kind::Scalar => scalar::update(source, out, added, removed),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` of this kind exists only where the CPU has AVX2.
            Kind::Avx2 => unsafe { avx2::update(source, out, added, removed) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: levels of these kinds exist only where the CPU has AVX-512 F and BW.
            Kind::Avx512 | Kind::Vnni => unsafe { avx512::update(source, out, added, removed) },
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => scalar::update(source, out, added, removed),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128 => scalar::update(source, out, added, removed),
        }
    }

    #[inline]
    pub(super) fn add(self, out: &mut [Chunk], row: &[Chunk]) {
        match self.0 {
            Kind::Scalar => scalar::add(out, row),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` of this kind exists only where the CPU has AVX2.
            Kind::Avx2 => unsafe { avx2::add(out, row) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: levels of these kinds exist only where the CPU has AVX-512 F and BW.
            Kind::Avx512 | Kind::Vnni => unsafe { avx512::add(out, row) },
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => scalar::add(out, row),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128 => scalar::add(out, row),
        }
    }

    #[inline]
    pub(super) fn subtract(self, out: &mut [Chunk], row: &[Chunk]) {
        match self.0 {
            Kind::Scalar => scalar::subtract(out, row),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` of this kind exists only where the CPU has AVX2.
            Kind::Avx2 => unsafe { avx2::subtract(out, row) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: levels of these kinds exist only where the CPU has AVX-512 F and BW.
            Kind::Avx512 | Kind::Vnni => unsafe { avx512::subtract(out, row) },
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => scalar::subtract(out, row),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128 => scalar::subtract(out, row),
        }
    }

    /// The sum of both halves' clipped squares times their weights; `weights` are the mover's and then the other's.
    #[inline]
    pub(super) fn activate(self, own: &[Chunk], theirs: &[Chunk], weights: &[Chunk]) -> i32 {
        let (own_weights, their_weights) = weights.split_at(own.len().min(weights.len()));
        match self.0 {
            Kind::Scalar => scalar::half(own, own_weights) + scalar::half(theirs, their_weights),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` of this kind exists only where the CPU has AVX2.
            Kind::Avx2 => unsafe { avx2::half(own, own_weights) + avx2::half(theirs, their_weights) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` of this kind exists only where the CPU has AVX-512 F and BW.
            Kind::Avx512 => unsafe { avx512::half(own, own_weights) + avx512::half(theirs, their_weights) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` of this kind exists only where the CPU has AVX-512 F, BW and VNNI.
            Kind::Vnni => unsafe {
                avx512::half_vnni(own, own_weights) + avx512::half_vnni(theirs, their_weights)
            },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: a `Level` of this kind exists only where the CPU has NEON.
            Kind::Neon => unsafe { neon::half(own, own_weights) + neon::half(theirs, their_weights) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128 => simd128::half(own, own_weights) + simd128::half(theirs, their_weights),
        }
    }
}
