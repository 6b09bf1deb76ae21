//! Any bytes are weights of the models of people, or a reason why not. Behind right headers and checksums too: the
//! shipped files with some bytes changed.
#![no_main]

use human_model::openings::Openings;
use human_model::reply::{HeldOutModel, ReplyModel};
use human_model::small_policy::SmallPolicy;
use libfuzzer_sys::fuzz_target;

static OPENINGS: &[u8] = include_bytes!("../../crates/human-model/weights/openings.bin");
static SMALL_POLICY: &[u8] = include_bytes!("../../crates/human-model/weights/small-policy.bin");

/// The bytes laid over the beginning of a whole file.
fn changed(file: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    for (place, &byte) in file.iter_mut().zip(bytes) {
        *place ^= byte;
    }
    file
}

fuzz_target!(|bytes: &[u8]| {
    let _ = ReplyModel::from_bytes(bytes).map_err(|error| assert!(!error.to_string().is_empty()));
    let _ = HeldOutModel::from_bytes(bytes).map_err(|error| assert!(!error.to_string().is_empty()));
    for small in [bytes.to_vec(), changed(SMALL_POLICY, bytes)] {
        let _ = SmallPolicy::from_bytes(&small).map_err(|error| assert!(!error.to_string().is_empty()));
    }
    for openings in [bytes.to_vec(), changed(OPENINGS, bytes)] {
        let _ = Openings::from_bytes(&openings).map_err(|error| assert!(!error.to_string().is_empty()));
    }
});
