//! Rebuilds the crate when the page's list of files changes.

/// Tells cargo to rebuild when a file of the page is added or removed; the compiler already tracks
/// their contents. A debug build reads the files as it runs, so it needs no rebuild.
#[expect(clippy::disallowed_methods, reason = "this is how cargo tells")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../../web/page");
    }
}
