//! Any bytes are a network or a reason why not. Behind a right header and right checksums too.
#![no_main]

use eval::nnue::Network;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = Network::from_bytes(bytes) {
        assert!(!error.to_string().is_empty());
    }
    let mut embedded = eval::nnue::EMBEDDED.to_vec();
    for (place, &byte) in embedded.iter_mut().zip(bytes) {
        *place ^= byte;
    }
    let _ = Network::from_bytes(&embedded);
});
