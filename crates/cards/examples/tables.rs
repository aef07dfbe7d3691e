//! Regenerates the evaluator's tables and writes them to `tables/lookup.bin`.

#[expect(clippy::disallowed_methods, reason = "writing the file is what this program is for")]
fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/lookup.bin");
    std::fs::write(path, croupier_cards::lookup::generate())
}
