//! The driver: libFuzzer calls the law of the target that `CAZIQUE_FUZZ_TARGET` names.

#![no_main]

use fuzz::Target;
use libfuzzer_sys::fuzz_target;
use std::env;
use std::sync::LazyLock;

/// The target of this process.
static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = env::var("CAZIQUE_FUZZ_TARGET").expect("CAZIQUE_FUZZ_TARGET names a target");
    Target::find(&name).unwrap_or_else(|| panic!("there is no target '{name}'"))
});

fuzz_target!(|bytes: &[u8]| {
    (TARGET.law)(bytes);
});
