//! The page: the files that make it up, as browsers load them.
//!
//! A program that is built to be used carries them with it. One that is built to be worked on reads
//! them from `web/page` at each request, so that the page can be changed without building anything.
//!
//! The files live under an address that has a hash of all of them in it: a browser keeps them for
//! ever, and the next version has other addresses. Files name each other by relative addresses, and
//! only `index.html`, which is asked for again each time, has to be told the hash.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use croupier_table::Hash;
use flate2::Compression;
use rust_embed::Embed;

use crate::extract::{Path, words};
use crate::gzip::{shortened, takes_gzip};
use crate::problem::{Code, Problem};

/// What the page shows something at. All of them are answered with the same file, and what is in it
/// looks at the address.
const ADDRESSES: [&str; 8] = [
    "/",
    "/tables/{table}",
    "/history",
    "/rounds/{table}/{round}",
    "/account",
    "/settings",
    "/help",
    "/verify",
];

/// Where the files of the page are.
pub(crate) const FILES: &str = "/page/";

/// The file that every address of the page is answered with.
const INDEX: &str = "index.html";

/// What stands in that file for where the others are.
const PLACE: &str = "{{page}}";

/// What stands there for what the page loads at once, so that a browser asks for all of it at the
/// same time, and not file by file as it finds out.
const PRELOAD: &str = "<!-- preload -->";

/// The module that everything begins with.
const FIRST: &str = "main.js";

/// What the page may do: load what is ours, talk to us, and nothing else. Nothing runs that is not
/// a file of ours, and nobody may put the page into his.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      font-src 'self'; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// How long a file is kept that will never be another.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// How long a file is kept that may be another the next time.
const ASK_AGAIN: &str = "no-cache";

#[derive(Embed)]
#[folder = "../../web/page"]
struct Folder;

pub(crate) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let file_path = format!("{FILES}{{hash}}/{{*path}}");
    let files = Router::new().route(&file_path, get(file));
    let all = ADDRESSES.iter().fold(files, |router, address| router.route(address, get(index)));
    all.fallback(nothing_here).with_state(Shelf(Arc::new(Page::read())))
}

/// Where the page is at hand.
#[derive(Clone)]
struct Shelf(Arc<Page>);

impl Shelf {
    fn page(&self) -> Arc<Page> {
        if cfg!(debug_assertions) { Arc::new(Page::read()) } else { Arc::clone(&self.0) }
    }
}

/// All files of the page.
struct Page {
    /// What tells it from any other version of it.
    hash: String,
    index: Option<File>,
    files: BTreeMap<String, File>,
}

impl Page {
    fn read() -> Self {
        let mut files: BTreeMap<String, File> = Folder::iter()
            .filter_map(|name| {
                let (kind, found) = (kind(&name)?, Folder::get(&name)?);
                let bytes = match found.data {
                    Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                    Cow::Owned(bytes) => Bytes::from(bytes),
                };
                Some((name.into_owned(), File::new(kind, bytes)))
            })
            .collect();
        let lines = files.iter().map(|(name, file)| format!("{name} {}\n", file.tag));
        let hash = short_hash(lines.collect::<Vec<_>>().concat().as_bytes());
        let index = files.remove(INDEX).map(|file| {
            let text = String::from_utf8_lossy(&file.bytes);
            let link =
                |name: &String| format!("<link rel=\"modulepreload\" href=\"{PLACE}/{name}\">\n  ");
            let preload: String = modules(&files).iter().map(link).collect();
            let text = text.replace(PRELOAD, preload.trim_end());
            let text = text.replace(PLACE, &format!("{FILES}{hash}"));
            File::new(file.kind, Bytes::from(text))
        });
        Self { hash, index, files }
    }
}

/// Returns the modules that the first one needs, those that they need, and so on.
fn modules(files: &BTreeMap<String, File>) -> BTreeSet<String> {
    let (mut found, mut ahead) = (BTreeSet::new(), vec![FIRST.to_owned()]);
    while let Some(name) = ahead.pop() {
        let Some(file) = files.get(&name).filter(|_| !found.contains(&name)) else { continue };
        let folder = name.rsplit_once('/').map_or(String::new(), |(it, _)| format!("{it}/"));
        let imported = imports(&String::from_utf8_lossy(&file.bytes));
        ahead.extend(imported.into_iter().map(|import| format!("{folder}{import}")));
        found.insert(name);
    }
    found
}

/// Returns what a module imports from beside it or below. What is loaded later, with `import(…)`,
/// is not among it.
fn imports(source: &str) -> Vec<String> {
    let ends = |quote: &str| source.split(quote).skip(1).map(str::to_owned).collect::<Vec<_>>();
    let starts = ["from \"./", "from\"./", "\nimport \"./"];
    let rests = starts.into_iter().flat_map(ends);
    rests.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// A file, as it is sent.
struct File {
    kind: &'static str,
    /// What tells it from other versions of it.
    tag: String,
    bytes: Bytes,
    /// The same in fewer bytes, if that can be.
    gzip: OnceLock<Option<Bytes>>,
}

impl File {
    fn new(kind: &'static str, bytes: Bytes) -> Self {
        Self { kind, tag: short_hash(&bytes), bytes, gzip: OnceLock::new() }
    }

    /// Returns the file with fewer bytes, if that can be. It is made once, when it is first wanted.
    fn gzip(&self) -> Option<Bytes> {
        let made = self.gzip.get_or_init(|| {
            let short = shortened(&self.bytes, Compression::best());
            short.filter(|short| short.len() < self.bytes.len())
        });
        made.clone()
    }

    fn answer(&self, asked: &HeaderMap, keep: &'static str) -> Response {
        // The same file, however it is sent: that is what a weak tag says.
        let tag = format!("W/\"{}\"", self.tag);
        let mut response = if has_tag(asked, &self.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let short = if takes_gzip(asked) { self.gzip() } else { None };
            let coded = short.is_some();
            let body = Body::from(short.unwrap_or_else(|| self.bytes.clone()));
            let mut response = body.into_response();
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
            if coded {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
            response
        };
        let headers = response.headers_mut();
        let mut insert = |name: HeaderName, value| headers.insert(name, value);
        insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
        insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::try_from(tag) {
            insert(header::ETAG, tag);
        }
        response
    }
}

async fn index(State(shelf): State<Shelf>, asked: HeaderMap) -> Result<Response, Problem> {
    let page = shelf.page();
    let index = page.index.as_ref().ok_or(Code::NoSuchEndpoint)?;
    Ok(index.answer(&asked, ASK_AGAIN))
}

/// Says that there is nothing at an address: to people on the page, to programs as a problem.
async fn nothing_here(State(shelf): State<Shelf>, address: Uri, asked: HeaderMap) -> Response {
    let is_program = ["/api/", FILES].iter().any(|place| address.path().starts_with(place));
    let is_person = words(&asked, &header::ACCEPT).any(|kind| kind.starts_with("text/html"));
    let page = shelf.page();
    match page.index.as_ref().filter(|_| is_person && !is_program) {
        Some(index) => {
            (StatusCode::NOT_FOUND, index.answer(&HeaderMap::new(), ASK_AGAIN)).into_response()
        }
        None => Problem::from(Code::NoSuchEndpoint).into_response(),
    }
}

/// Answers with a file. A tab that was opened before an upgrade asks for files of the page that it
/// has loaded, and gets those that there are.
async fn file(
    State(shelf): State<Shelf>,
    Path((hash, path)): Path<(String, String)>,
    asked: HeaderMap,
) -> Result<Response, Problem> {
    let page = shelf.page();
    // Nothing is opened by the name that somebody asks for: it is one of those that there are.
    let file = page.files.get(&path).ok_or(Code::NoSuchEndpoint)?;
    Ok(file.answer(&asked, if hash == page.hash { FOR_EVER } else { ASK_AGAIN }))
}

/// Returns what a file is, by the end of its name. Whatever else is in the folder is no file of the
/// page.
fn kind(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.')?;
    Some(match end {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

fn short_hash(bytes: &[u8]) -> String {
    Hash::of(bytes).to_string()[..16].to_owned()
}

/// Tells whether a client has a file already.
fn has_tag(asked: &HeaderMap, tag: &str) -> bool {
    words(asked, &header::IF_NONE_MATCH).any(|word| {
        let word = word.strip_prefix("W/").unwrap_or(word);
        word == "*" || word.trim_matches('"') == tag
    })
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

    use super::{has_tag, imports, kind};

    fn asked(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_module_imports_what_it_says_and_nothing_that_it_may() {
        let source = "// It is from \"here\".\nimport { a } from \"./a.js\";\nimport \"./b.js\";\n\
                      import h from\"./vendor/c.js\";\nconst later = () => import(\"./d.js\");";
        let mut found = imports(source);
        found.sort_unstable();
        assert_eq!(found, ["a.js", "b.js", "vendor/c.js"]);
    }

    #[test]
    fn a_file_is_what_its_name_says_or_no_file_of_the_page() {
        let kinds = [
            ("index.html", "text/html; charset=utf-8"),
            ("table/table.js", "text/javascript; charset=utf-8"),
            ("page.css", "text/css; charset=utf-8"),
            ("icon.svg", "image/svg+xml"),
            ("icon.png", "image/png"),
            ("sans.woff2", "font/woff2"),
            ("words.json", "application/json"),
            ("page.webmanifest", "application/manifest+json"),
            ("LICENSE.txt", "text/plain; charset=utf-8"),
        ];
        for (name, is) in kinds {
            assert_eq!(kind(name), Some(is), "{name}");
        }
        for name in ["README", "README.md", "page.js~", ".page.js.swp", "page.rs", ""] {
            assert_eq!(kind(name), None, "{name}");
        }
    }

    #[test]
    fn whoever_has_a_file_is_not_sent_it_again() {
        let has = |value| has_tag(&asked(header::IF_NONE_MATCH, value), "0123");
        for value in ["W/\"0123\"", "\"0123\"", "\"4567\", W/\"0123\"", "*"] {
            assert!(has(value), "{value}");
        }
        for value in ["", "\"4567\"", "\"01234\""] {
            assert!(!has(value), "{value}");
        }
    }
}
