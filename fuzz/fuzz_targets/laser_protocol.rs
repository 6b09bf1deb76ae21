#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabiya_fuzz::laser_protocol::run(bytes));
