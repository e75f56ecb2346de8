#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| countersign_fuzz_bodies::litmus_parse::run(data));
