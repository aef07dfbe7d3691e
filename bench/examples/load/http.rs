//! A minimal HTTP client: the driver shares the machine with the server, and should not affect the
//! measurement.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A persistent connection to the server.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(4096) })
    }

    /// Sends JSON, and returns the status and the body of the response.
    pub(crate) async fn post(
        &mut self,
        path: &str,
        token: &str,
        key: &str,
        body: &str,
    ) -> (u16, String) {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: load\r\nauthorization: Bearer {token}\r\n\
             idempotency-key: {key}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await.expect("the server reads");
        self.answer().await
    }

    /// Reads a response that has a length.
    async fn answer(&mut self) -> (u16, String) {
        self.buffer.clear();
        let head = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
            self.read().await;
        };
        let text = String::from_utf8_lossy(&self.buffer[..head]).into_owned();
        let status = text.get(9..12).and_then(|status| status.parse().ok()).expect("a status");
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        while self.buffer.len() < head + length {
            self.read().await;
        }
        (status, String::from_utf8_lossy(&self.buffer[head..head + length]).into_owned())
    }

    /// Starts watching a table, and returns the first event.
    pub(crate) async fn watch(&mut self, table: &str, token: &str) -> String {
        let request = format!(
            "GET /api/tables/{table}/events HTTP/1.1\r\nhost: load\r\n\
             authorization: Bearer {token}\r\n\r\n"
        );
        self.stream.write_all(request.as_bytes()).await.expect("the server reads");
        self.buffer.clear();
        while find(&self.buffer, b"\n\n").is_none() {
            self.read().await;
        }
        let first = String::from_utf8_lossy(&self.buffer).into_owned();
        // Ten thousand of these wait idle, and need no buffer.
        self.buffer = Vec::new();
        first
    }

    /// Returns the next event.
    pub(crate) async fn more(&mut self) -> String {
        self.buffer.clear();
        while find(&self.buffer, b"\n\n").is_none() {
            self.read().await;
        }
        String::from_utf8_lossy(&self.buffer).into_owned()
    }

    async fn read(&mut self) {
        let read = self.stream.read_buf(&mut self.buffer).await.expect("the server writes");
        assert!(read > 0, "the server has closed the connection");
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
