//! Whether this CPU has the instructions that this build may use anywhere. The evaluation chooses its own at run time; the
//! rest of the program is compiled for one level of x86-64, and on an older CPU it would die with "illegal instruction".

/// An instruction set: whether this build assumes it, where CPUID reports it, and its name in `/proc/cpuinfo`.
struct Feature {
    assumed: bool,
    leaf: u32,
    register: Register,
    bit: u32,
    name: &'static str,
}

#[derive(Clone, Copy)]
enum Register {
    Ebx,
    Ecx,
}

macro_rules! feature {
    ($name:tt, $leaf:literal, $register:ident, $bit:literal, $shown:literal) => {
        Feature {
            assumed: cfg!(target_feature = $name),
            leaf: $leaf,
            register: Register::$register,
            bit: $bit,
            name: $shown,
        }
    };
}

/// What the levels v2, v3 and v4 of x86-64 add that compilers use. `is_x86_feature_detected!` cannot answer here: it believes
/// what the build assumes.
static FEATURES: [Feature; 13] = [
    feature!("ssse3", 1, Ecx, 9, "ssse3"),
    feature!("sse4.2", 1, Ecx, 20, "sse4_2"),
    feature!("popcnt", 1, Ecx, 23, "popcnt"),
    feature!("avx", 1, Ecx, 28, "avx"),
    feature!("fma", 1, Ecx, 12, "fma"),
    feature!("movbe", 1, Ecx, 22, "movbe"),
    feature!("f16c", 1, Ecx, 29, "f16c"),
    feature!("bmi1", 7, Ebx, 3, "bmi1"),
    feature!("avx2", 7, Ebx, 5, "avx2"),
    feature!("bmi2", 7, Ebx, 8, "bmi2"),
    feature!("lzcnt", 0x8000_0001, Ecx, 5, "abm"),
    feature!("avx512f", 7, Ebx, 16, "avx512f"),
    feature!("avx512bw", 7, Ebx, 30, "avx512bw"),
];

impl Feature {
    #[allow(unused_unsafe, reason = "CPUID became a safe function after the oldest Rust that builds this")]
    fn is_present(&self) -> bool {
        use std::arch::x86_64::__cpuid_count;
        // SAFETY: every x86-64 CPU has CPUID, and leaves 0 and 0x8000_0000 name the last one of each half.
        let (last, found) =
            unsafe { (__cpuid_count(self.leaf & 0x8000_0000, 0).eax, __cpuid_count(self.leaf, 0)) };
        let value = match self.register {
            Register::Ebx => found.ebx,
            Register::Ecx => found.ecx,
        };
        self.leaf <= last && value >> self.bit & 1 == 1
    }
}

/// The name of an instruction set that this build needs and this CPU lacks.
#[inline(never)]
pub fn missing() -> Option<&'static str> {
    FEATURES.iter().find(|feature| feature.assumed && !feature.is_present()).map(|feature| feature.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_missing_where_the_tests_run() {
        assert_eq!(missing(), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn cpuid_and_the_system_agree() {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let Some(flags) = text.lines().find(|line| line.starts_with("flags")) else { return };
        let flags: Vec<&str> = flags.split_whitespace().collect();
        for feature in &FEATURES {
            assert_eq!(feature.is_present(), flags.contains(&feature.name), "{}", feature.name);
        }
    }
}
