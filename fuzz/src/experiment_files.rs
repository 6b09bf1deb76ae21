//! Any text is the description of an experiment or a reason why not. What is read is written as TOML and JSON and read
//! back the same.

use experiment::spec::Spec;

pub fn run(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let Ok(spec) = Spec::from_toml(text) else { return };
    assert_eq!(Spec::from_toml(&spec.to_toml()).as_ref(), Ok(&spec), "{}", spec.to_toml());
    assert_eq!(Spec::from_json(&spec.to_json()).as_ref(), Ok(&spec), "{}", spec.to_json());
}
