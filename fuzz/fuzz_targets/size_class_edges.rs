#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| countersign_fuzz_bodies::size_class_edges::run(data));
