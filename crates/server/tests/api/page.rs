//! The page, as browsers load it. Other tests check the contents of its files: these tests are
//! valid for any files in the folder.

#![expect(clippy::disallowed_methods, reason = "the files are compared with the responses")]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use croupier_server::{Config, Limits, Server};
use croupier_testing::{Client, Reply};
use hyper::{Method, StatusCode};

use crate::harness::{config, server};

const WEB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");

/// Addresses at which the page shows something.
const ADDRESSES: [&str; 8] = [
    "/",
    "/tables/k7m2xq4w9p3c",
    "/history",
    "/rounds/k7m2xq4w9p3c/7",
    "/account",
    "/settings",
    "/help",
    "/verify",
];

struct Browser {
    visitor: Client,
}

impl Browser {
    fn new(address: SocketAddr) -> Self {
        Self { visitor: Client::new(address) }
    }

    async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.visitor.send(method, path, headers, Vec::new()).await.expect("an answer")
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.send(Method::GET, path, headers).await
    }

    /// Returns the prefix of the page's files.
    async fn place(&self) -> String {
        let index = self.get("/", &[]).await;
        let text = String::from_utf8(index.body).expect("text");
        let (_, rest) = text.split_once("\"/page/").expect("the index names its files");
        let hash = &rest[..16];
        assert!(hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash} is not a hash");
        format!("/page/{hash}")
    }
}

async fn open() -> (Server, Browser) {
    let server = server(config()).await;
    let browser = Browser::new(server.address());
    (server, browser)
}

#[track_caller]
fn header<'a>(reply: &'a Reply, name: &str) -> &'a str {
    reply.headers.get(name).map_or("", |value| value.to_str().expect("text"))
}

/// Returns all files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the files of the page by the names in requests.
fn files_of_page() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(WEB).join("page");
    let name = |path: &Path| {
        path.strip_prefix(&folder).expect("below").to_str().expect("a name").to_owned()
    };
    let all = files(&folder).into_iter();
    let found: Vec<_> =
        all.map(|path| (name(&path), std::fs::read(&path).expect("a file"))).collect();
    assert!(found.iter().any(|(name, _)| name == "index.html"), "there is no page");
    found
}

/// Returns the name of one of its scripts.
fn script() -> String {
    let is_script = |name: &String| kind(name).is_some_and(|kind| kind.contains("javascript"));
    let mut names = files_of_page().into_iter().map(|(name, _)| name);
    names.find(is_script).expect("a script")
}

/// Returns the content type of a file.
fn kind(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.')?;
    Some(match end {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_of_the_page_is_answered_with_the_same_file() {
    let (server, browser) = open().await;
    let first = browser.get("/", &[]).await;
    for address in ADDRESSES {
        let reply = browser.get(address, &[]).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}");
        assert_eq!(reply.body, first.body, "{address}");
        assert_eq!(header(&reply, "content-type"), "text/html; charset=utf-8");
        assert_eq!(header(&reply, "cache-control"), "no-cache");
        assert!(header(&reply, "etag").starts_with("W/\""), "{address}");
        assert!(!String::from_utf8_lossy(&reply.body).contains("{{"), "something is not filled in");
        let head = browser.send(Method::HEAD, address, &[]).await;
        assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0), "{address}");
        assert_eq!(header(&head, "content-length"), first.body.len().to_string());
        let post = browser.send(Method::POST, address, &[]).await;
        assert_eq!((post.status.as_u16(), post.code().as_str()), (405, "wrong-method"));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_file_has_its_type_and_is_cached_forever() {
    let (server, browser) = open().await;
    let place = browser.place().await;
    for (name, bytes) in files_of_page() {
        let reply = browser.get(&format!("{place}/{name}"), &[]).await;
        let Some(kind) = kind(&name).filter(|_| name != "index.html") else {
            assert_eq!(reply.code(), "no-such-endpoint", "{name}");
            continue;
        };
        assert_eq!(reply.status, StatusCode::OK, "{name}");
        assert_eq!(reply.body, bytes, "{name}");
        assert_eq!(header(&reply, "content-type"), kind, "{name}");
        assert_eq!(header(&reply, "x-content-type-options"), "nosniff");
        assert_eq!(header(&reply, "cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(header(&reply, "vary"), "accept-encoding");
        let head = browser.send(Method::HEAD, &format!("{place}/{name}"), &[]).await;
        assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0), "{name}");
        assert_eq!(header(&head, "content-length"), bytes.len().to_string(), "{name}");
        // A tab that was opened before an upgrade gets the current file, and does not cache it.
        let other = browser.get(&format!("/page/0123456789abcdef/{name}"), &[]).await;
        assert_eq!((other.status, other.body), (StatusCode::OK, bytes), "{name}");
        assert_eq!(header(&reply, "etag").len(), "W/\"0123456789abcdef\"".len());
        assert_eq!(
            browser.get(&format!("/page/x/{name}"), &[]).await.headers["cache-control"],
            "no-cache"
        );
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_our_own_files_run_in_the_page() {
    let (server, browser) = open().await;
    let place = browser.place().await;
    let icon = format!("{place}/icon.svg");
    for path in ["/", "/help", &icon] {
        let reply = browser.get(path, &[]).await;
        let policy = header(&reply, "content-security-policy");
        for wanted in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.split("; ").any(|part| part == wanted), "{path}: {policy}");
        }
        for unwanted in ["unsafe", "data:", "blob:", "http", "*"] {
            assert!(!policy.contains(unwanted), "{path}: {policy}");
        }
        assert_eq!(header(&reply, "cross-origin-opener-policy"), "same-origin", "{path}");
        assert_eq!(header(&reply, "referrer-policy"), "no-referrer", "{path}");
        assert_eq!(header(&reply, "x-content-type-options"), "nosniff", "{path}");
    }
    // A script is never shown by itself, so it has only the headers that apply to it.
    let reply = browser.get(&format!("{place}/{}", script()), &[]).await;
    assert_eq!(header(&reply, "x-content-type-options"), "nosniff");
    assert_eq!(header(&reply, "cross-origin-resource-policy"), "same-origin");
    assert_eq!(header(&reply, "content-security-policy"), "");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn compressible_files_are_compressed_for_clients_that_accept_it() {
    let (server, browser) = open().await;
    let place = browser.place().await;
    let plain = browser.get("/", &[]).await;
    assert_eq!(header(&plain, "content-encoding"), "");
    let short = browser.get("/", &[("accept-encoding", "br, gzip;q=0.8")]).await;
    assert_eq!(header(&short, "content-encoding"), "gzip");
    assert_eq!(header(&short, "vary"), "accept-encoding");
    assert_eq!(header(&short, "etag"), header(&plain, "etag"));
    assert!(short.body.len() < plain.body.len());
    assert_eq!(unzip(&short.body), plain.body);
    for (name, bytes) in files_of_page() {
        let path = format!("{place}/{name}");
        let reply = browser.get(&path, &[("accept-encoding", "gzip")]).await;
        if reply.status != StatusCode::OK {
            continue;
        }
        if header(&reply, "content-encoding") == "gzip" {
            assert!(reply.body.len() < bytes.len(), "{name}");
            assert_eq!(unzip(&reply.body), bytes, "{name}");
        } else {
            assert_eq!(reply.body, bytes, "{name}");
        }
        let refused = browser.get(&path, &[("accept-encoding", "gzip;q=0")]).await;
        assert_eq!(refused.body, bytes, "{name}");
    }
    server.stop().await;
}

fn unzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes), &mut plain).expect("gzip");
    plain
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_has_the_file_gets_304() {
    let (server, browser) = open().await;
    let place = browser.place().await;
    let script = format!("{place}/{}", script());
    for path in ["/", "/history", &script] {
        let first = browser.get(path, &[("accept-encoding", "gzip")]).await;
        let tag = header(&first, "etag");
        let list = format!("\"other\", {tag}");
        for tag in [tag, &list, "*"] {
            let again = browser.get(path, &[("if-none-match", tag)]).await;
            assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path} {tag}");
            assert_eq!(header(&again, "etag"), header(&first, "etag"));
            assert_eq!(header(&again, "cache-control"), header(&first, "cache-control"));
            assert_eq!(header(&again, "vary"), "accept-encoding");
        }
        let other = browser.get(path, &[("if-none-match", "W/\"other\"")]).await;
        assert_eq!(other.status, StatusCode::OK, "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_address_gets_a_problem() {
    let (server, browser) = open().await;
    let place = browser.place().await;
    let none = format!("{place}/none.js");
    let folder = format!("{place}/");
    for path in [
        "/index.html",
        "/favicon.ico",
        "/robots.txt",
        "/tables",
        "/tables/a/b",
        "/rounds/a",
        "/history/1",
        "/page",
        "/page/",
        &place,
        &folder,
        &none,
    ] {
        let reply = browser.get(path, &[]).await;
        assert_eq!((reply.status.as_u16(), &*reply.code()), (404, "no-such-endpoint"), "{path}");
        assert_eq!(header(&reply, "content-type"), "application/problem+json", "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_gets_the_page_for_an_unknown_address() {
    let (server, browser) = open().await;
    let person = [("accept", "text/html,application/xhtml+xml")];
    let reply = browser.get("/nothing", &person).await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    assert_eq!(header(&reply, "content-type"), "text/html; charset=utf-8");
    let reply = browser.get("/api/nothing", &person).await;
    assert_eq!(&*reply.code(), "no-such-endpoint");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_static_imports_are_preloaded() {
    let (server, browser) = open().await;
    let place = browser.place().await;
    let index = browser.get("/", &[]).await;
    let index = String::from_utf8(index.body).expect("text");
    for (name, is_there) in [
        ("main.js", true),
        ("table/stream.js", true),
        ("shared/api.js", true),
        ("vendor/preact.js", true),
        ("account/account_page.js", false),
        ("round/shuffle.js", false),
    ] {
        let link = format!("<link rel=\"modulepreload\" href=\"{place}/{name}\">");
        assert_eq!(index.contains(&link), is_there, "{name}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_files_of_the_page_are_served() {
    let (server, browser) = open().await;
    let place = browser.place().await;
    let web = Path::new(WEB);
    let page = web.join("page");
    let mut secrets = vec!["../../Cargo.toml".to_owned(), "../../../../../etc/passwd".to_owned()];
    for path in files(web).into_iter().filter(|path| !path.starts_with(&page)).take(200) {
        let name = path.strip_prefix(web).expect("below").to_str().expect("a name");
        secrets.push(format!("../{name}"));
    }
    for secret in secrets {
        let name = secret.trim_start_matches("../");
        for path in [
            format!("{place}/{secret}"),
            format!("{place}/{name}"),
            format!("{place}/x/../{secret}"),
            format!("{place}/{}", secret.replace("..", "%2e%2e")),
            format!("{place}/{}", secret.replace("../", "..%2f")),
            format!("{place}/{}", secret.replace("../", "%2E%2E%2F")),
            format!("{place}/{}", secret.replace("../", "..%5c")),
            format!("{place}//{name}"),
            format!("{place}/%2fetc%2fpasswd"),
            format!("{place}/%00{name}"),
            format!("/page/../{secret}"),
            format!("/page/%2e%2e/{name}"),
            format!("/web/{name}"),
            format!("/{secret}"),
            format!("/{name}"),
        ] {
            // A browser may encode some characters in file names differently.
            let path = path.replace(' ', "%20");
            let reply = browser.get(&path, &[]).await;
            assert_eq!(reply.code(), "no-such-endpoint", "{path}: {}", reply.status);
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_loads_under_a_low_request_limit() {
    let limits = Limits { requests_per_second: 1, ..Limits::default() };
    let server = server(Config { limits, ..config() }).await;
    let browser = Browser::new(server.address());
    let place = browser.place().await;
    let script = format!("{place}/{}", script());
    for number in 0..100 {
        let reply = browser.get(&script, &[]).await;
        assert_eq!(reply.status, StatusCode::OK, "file number {number}");
    }
    // Other requests still count.
    let mut refused = 0;
    for _ in 0..10 {
        refused += u32::from(browser.get("/", &[]).await.code() == "too-many-requests");
    }
    assert!(refused > 0, "no request is counted");
    server.stop().await;
}
