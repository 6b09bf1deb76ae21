//! What the CPU can do, asked once a call: the standard library keeps the answer.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    Plain,
}

#[inline]
pub fn level() -> Level {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("fma")
        {
            return Level::Avx512;
        }
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            return Level::Avx2;
        }
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("neon") {
        return Level::Neon;
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return Level::Simd128;
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    Level::Plain
}
