//! The page: the files that make it up, as browsers load them.
//!
//! A release build embeds them. A debug build reads them from `web/page` on each request, so that
//! the page can be changed without a rebuild.
//!
//! The files live under an address that contains a hash of all of them: a browser keeps them
//! forever, and the next version has other addresses. Files refer to each other by relative
//! addresses, so only `index.html`, which is requested again each time, has to contain the hash.

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

use crate::http::extract::{Path, header_values};
use crate::http::gzip::{accepts_gzip, compress};
use crate::http::problem::{Code, Problem};

/// The addresses of the page. All of them return the same file, and its script looks at the
/// address.
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

/// The prefix of the page's files.
pub(crate) const FILE_PREFIX: &str = "/page/";

/// The file that is returned for every address of the page.
const INDEX: &str = "index.html";

/// The placeholder in that file for the location of the others.
const LOCATION_PLACEHOLDER: &str = "{{page}}";

/// The placeholder there for the fonts and modules that the page loads at once, so that a browser
/// requests all of them at the same time and not file by file as it discovers them.
const PRELOAD_PLACEHOLDER: &str = "<!-- preload -->";

/// The entry module.
const ENTRY_MODULE: &str = "main.js";

/// The content types whose files are compressed already.
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const FONT: &str = "font/woff2";
const PICTURE: &str = "image/png";

/// Marks a response as a part of the page: a script, a style sheet, a font or a picture. It needs
/// none of the headers of a document, which would be a quarter of the first visit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartOfPage;

/// The security policy of the page: load our files, talk to our server, and nothing else. Only our
/// own files run as scripts, and no other site can put the page in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      font-src 'self'; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The cache policy of a file that never changes.
const CACHE_FOREVER: &str = "public, max-age=31536000, immutable";

/// The cache policy of a file that may change.
const REVALIDATE: &str = "no-cache";

#[derive(Embed)]
#[folder = "../../web/page"]
struct Folder;

pub(crate) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let file_path = format!("{FILE_PREFIX}{{hash}}/{{*path}}");
    let files = Router::new().route(&file_path, get(file));
    let all = ADDRESSES.iter().fold(files, |router, address| router.route(address, get(index)));
    all.fallback(not_found).with_state(PageSource(Arc::new(Page::read())))
}

/// The source of the page: read again for each request in a debug build, and once otherwise.
#[derive(Clone)]
struct PageSource(Arc<Page>);

impl PageSource {
    fn page(&self) -> Arc<Page> {
        if cfg!(debug_assertions) { Arc::new(Page::read()) } else { Arc::clone(&self.0) }
    }
}

/// All files of the page.
struct Page {
    /// Identifies this version of the page.
    hash: String,
    index: Option<File>,
    files: BTreeMap<String, File>,
}

impl Page {
    fn read() -> Self {
        Self::new(Folder::iter().filter_map(|name| {
            let bytes = match Folder::get(&name)?.data {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => Bytes::from(bytes),
            };
            Some((name.into_owned(), bytes))
        }))
    }

    fn new(files: impl Iterator<Item = (String, Bytes)>) -> Self {
        let mut files: BTreeMap<String, File> = files
            .filter_map(|(name, bytes)| {
                let file = File::new(content_type(&name)?, bytes);
                Some((name, file))
            })
            .collect();
        let lines = files.iter().map(|(name, file)| format!("{name} {}\n", file.etag));
        let hash = short_hash(lines.collect::<Vec<_>>().concat().as_bytes());
        let index = files.remove(INDEX).map(|file| {
            let text = String::from_utf8_lossy(&file.bytes);
            let location = format!("{FILE_PREFIX}{hash}");
            let text = text.replace(PRELOAD_PLACEHOLDER, &preload(&files, &location));
            let text = text.replace(LOCATION_PLACEHOLDER, &location);
            File::new(file.content_type, Bytes::from(text))
        });
        Self { hash, index, files }
    }
}

/// Returns the links to the fonts and modules that the page loads at once.
fn preload(files: &BTreeMap<String, File>, location: &str) -> String {
    let fonts = files.iter().filter(|(_, file)| file.content_type == FONT);
    // A browser fetches fonts without credentials, so it uses a preloaded one only if that was
    // fetched without them too.
    let fonts = fonts.map(|(name, _)| {
        let link = format!("<link rel=\"preload\" href=\"{location}/{name}\"");
        format!("{link} as=\"font\" type=\"{FONT}\" crossorigin>")
    });
    let modules = modules(files)
        .into_iter()
        .map(|name| format!("<link rel=\"modulepreload\" href=\"{location}/{name}\">"));
    fonts.chain(modules).collect::<Vec<_>>().join("\n  ")
}

/// Returns the modules that the first one needs, those that they need, and so on.
fn modules(files: &BTreeMap<String, File>) -> BTreeSet<String> {
    let (mut found, mut ahead) = (BTreeSet::new(), vec![ENTRY_MODULE.to_owned()]);
    while let Some(name) = ahead.pop() {
        let Some(file) = files.get(&name).filter(|_| !found.contains(&name)) else { continue };
        let imported = imports(&String::from_utf8_lossy(&file.bytes));
        ahead.extend(imported.iter().map(|import| resolve(&name, import)));
        found.insert(name);
    }
    found
}

/// Returns the relative addresses that a module imports. Files that are loaded later, with
/// `import(…)`, are not included.
fn imports(source: &str) -> Vec<String> {
    let ends = |quote: &str| source.split(quote).skip(1).map(str::to_owned).collect::<Vec<_>>();
    let starts = ["from \".", "from\".", "\nimport \"."];
    let rests = starts.into_iter().flat_map(ends);
    rests.filter_map(|rest| Some(format!(".{}", rest.split_once('"')?.0))).collect()
}

/// Returns the file at an address relative to a module.
fn resolve(module: &str, address: &str) -> String {
    let mut path: Vec<&str> = module.split('/').collect();
    path.pop();
    for part in address.split('/') {
        match part {
            "." => {}
            ".." => {
                path.pop();
            }
            _ => path.push(part),
        }
    }
    path.join("/")
}

/// A file, as it is sent.
struct File {
    content_type: &'static str,
    /// Identifies this version of the file.
    etag: String,
    bytes: Bytes,
    /// The gzipped bytes, if they are fewer and the format has no compression of its own.
    gzip: OnceLock<Option<Bytes>>,
}

impl File {
    fn new(content_type: &'static str, bytes: Bytes) -> Self {
        Self { content_type, etag: short_hash(&bytes), bytes, gzip: OnceLock::new() }
    }

    /// Returns the gzipped file if that is smaller. It is compressed once, on first use.
    fn gzip(&self) -> Option<Bytes> {
        let made = self.gzip.get_or_init(|| {
            let short = match self.content_type {
                FONT | PICTURE => None,
                _ => compress(&self.bytes, Compression::best()),
            };
            short.filter(|short| short.len() < self.bytes.len())
        });
        made.clone()
    }

    /// Tells whether a browser only loads the file into a page, and never shows it by itself. A
    /// drawing can be opened by its address, and then it is a document.
    fn is_part(&self) -> bool {
        matches!(self.content_type, SCRIPT | STYLE | FONT | PICTURE)
    }

    fn response(&self, headers: &HeaderMap, cache_policy: &'static str) -> Response {
        // The file is the same whether or not it is compressed: that is what a weak ETag means.
        let etag = format!("W/\"{}\"", self.etag);
        let mut response = if has_etag(headers, &self.etag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let short = if accepts_gzip(headers) { self.gzip() } else { None };
            let coded = short.is_some();
            let body = Body::from(short.unwrap_or_else(|| self.bytes.clone()));
            let mut response = body.into_response();
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            if coded {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
            response
        };
        if self.is_part() {
            response.extensions_mut().insert(PartOfPage);
        }
        let headers = response.headers_mut();
        let mut insert = |name: HeaderName, value| headers.insert(name, value);
        if !self.is_part() {
            insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        }
        insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_policy));
        insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(etag) = HeaderValue::try_from(etag) {
            insert(header::ETAG, etag);
        }
        response
    }
}

async fn index(State(source): State<PageSource>, headers: HeaderMap) -> Result<Response, Problem> {
    let page = source.page();
    let index = page.index.as_ref().ok_or(Code::NoSuchEndpoint)?;
    Ok(index.response(&headers, REVALIDATE))
}

/// Answers for an address with nothing there: a page for people, a problem for programs.
async fn not_found(State(source): State<PageSource>, address: Uri, headers: HeaderMap) -> Response {
    let is_program = ["/api/", FILE_PREFIX].iter().any(|place| address.path().starts_with(place));
    let is_person =
        header_values(&headers, &header::ACCEPT).any(|kind| kind.starts_with("text/html"));
    let page = source.page();
    match page.index.as_ref().filter(|_| is_person && !is_program) {
        Some(index) => {
            (StatusCode::NOT_FOUND, index.response(&HeaderMap::new(), REVALIDATE)).into_response()
        }
        None => Problem::from(Code::NoSuchEndpoint).into_response(),
    }
}

/// Returns a file. A tab that was opened before an upgrade requests files of the page that it has
/// loaded, and gets the current ones.
async fn file(
    State(source): State<PageSource>,
    Path((hash, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let page = source.page();
    // No path is opened by the name in a request: the name is looked up among the known files.
    let file = page.files.get(&path).ok_or(Code::NoSuchEndpoint)?;
    Ok(file.response(&headers, if hash == page.hash { CACHE_FOREVER } else { REVALIDATE }))
}

/// Returns a file's content type by its extension. Any other file in the folder is not part of the
/// page.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.')?;
    Some(match end {
        "html" => "text/html; charset=utf-8",
        "js" => SCRIPT,
        "css" => STYLE,
        "svg" => "image/svg+xml",
        "png" => PICTURE,
        "woff2" => FONT,
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
fn has_etag(headers: &HeaderMap, etag: &str) -> bool {
    header_values(headers, &header::IF_NONE_MATCH).any(|word| {
        let word = word.strip_prefix("W/").unwrap_or(word);
        word == "*" || word.trim_matches('"') == etag
    })
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

    use super::{CACHE_FOREVER, Page, content_type, has_etag, imports, resolve};

    fn headers(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn static_imports_are_found_and_dynamic_ones_are_not() {
        let source = "// It is from \"here\".\nimport { a } from \"./a.js\";\nimport \"./b.js\";\n\
                      import h from\"./vendor/c.js\";\nimport {\n  e,\n} from \"../shared/e.js\";\n\
                      const later = () => import(\"./d.js\");";
        let mut found = imports(source);
        found.sort_unstable();
        assert_eq!(found, ["../shared/e.js", "./a.js", "./b.js", "./vendor/c.js"]);
    }

    #[test]
    fn an_import_is_relative_to_its_module() {
        assert_eq!(resolve("main.js", "./table/stream.js"), "table/stream.js");
        assert_eq!(resolve("table/stream.js", "./bets.js"), "table/bets.js");
        assert_eq!(resolve("table/stream.js", "../shared/api.js"), "shared/api.js");
    }

    #[test]
    fn a_file_has_the_type_of_its_extension_or_is_not_served() {
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
            assert_eq!(content_type(name), Some(is), "{name}");
        }
        for name in ["README", "README.md", "page.js~", ".page.js.swp", "page.rs", ""] {
            assert_eq!(content_type(name), None, "{name}");
        }
    }

    #[test]
    fn fonts_are_preloaded_cached_forever_and_not_compressed_again() {
        // Zeros, so that gzip would make every file shorter.
        let zeros = Bytes::from_static(&[0; 4_096]);
        let files = ["fonts/sans.woff2", "fonts/serif.woff2", "icon.png", "main.js"];
        let files = files.map(|name| (name.to_owned(), zeros.clone()));
        let text = Bytes::from_static(b"<head>\n  <!-- preload -->\n</head>");
        let index = ("index.html".to_owned(), text);
        let page = Page::new(files.into_iter().chain([index]));

        let location = format!("/page/{}", page.hash);
        let font = |name| {
            format!(
                "<link rel=\"preload\" href=\"{location}/fonts/{name}.woff2\" as=\"font\" \
                 type=\"font/woff2\" crossorigin>"
            )
        };
        let module = format!("<link rel=\"modulepreload\" href=\"{location}/main.js\">");
        let lines = [font("sans"), font("serif"), module].join("\n  ");
        let index = page.index.expect("an index");
        assert_eq!(&index.bytes, format!("<head>\n  {lines}\n</head>").as_bytes());

        let accepts = headers(header::ACCEPT_ENCODING, "gzip");
        for (name, file) in &page.files {
            let response = file.response(&accepts, CACHE_FOREVER);
            let headers = response.headers();
            let is_compressed = headers.contains_key(header::CONTENT_ENCODING);
            assert_eq!(is_compressed, name == "main.js", "{name}");
            assert_eq!(headers[header::CACHE_CONTROL], CACHE_FOREVER, "{name}");
            assert_eq!(headers[header::CONTENT_TYPE], content_type(name).expect("a type"));
        }
    }

    #[test]
    fn a_client_that_has_the_file_gets_304() {
        let has = |value| has_etag(&headers(header::IF_NONE_MATCH, value), "0123");
        for value in ["W/\"0123\"", "\"0123\"", "\"4567\", W/\"0123\"", "*"] {
            assert!(has(value), "{value}");
        }
        for value in ["", "\"4567\"", "\"01234\""] {
            assert!(!has(value), "{value}");
        }
    }
}
