#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| keyhole_fuzz::run("chain", input));
