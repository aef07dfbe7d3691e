//! Sees to it that a page with another file is another program.

/// Has the crate built anew when a file of the page comes or goes. What is in the files is known to
/// the compiler. A program that is worked on reads them as it runs, and has no need of that.
#[expect(clippy::disallowed_methods, reason = "this is how cargo tells")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../../web/page");
    }
}
