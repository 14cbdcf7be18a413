//! A service in thirty lines: it does what whoever asks may ask for. `cargo run -p keyhole-ucan --example service`, then
//! `curl --data-binary @invocation.txt localhost:8080`. It keeps what it has done in memory: keep it where a restart does not lose it.
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{SystemTime, UNIX_EPOCH};

use keyhole_ucan::{Conditions, Did, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let me = Did::parse("did:web:example.com")?;
    let mut seen = BTreeSet::new();
    for stream in TcpListener::bind("127.0.0.1:8080")?.incoming() {
        let mut stream = stream?;
        let Some(text) = body(&stream) else { continue };
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |now| now.as_secs() as i64);
        let conditions = Conditions {
            audience: Some(&me),
            seen: &seen,
            ..Conditions::at(now)
        };
        let (status, answer) = match verify(&text, &conditions) {
            Ok(allowed) => {
                seen.insert(allowed.invocation.cid());
                (
                    "200 OK",
                    format!("done: {}", allowed.invocation.payload().command.as_str()),
                )
            }
            Err(refusal) => ("403 Forbidden", refusal.to_string()),
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{answer}",
            answer.len()
        )?;
    }
    Ok(())
}

fn body(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let length = reader
        .by_ref()
        .lines()
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty());
    let length = length.filter_map(|line| {
        line.to_lowercase()
            .strip_prefix("content-length:")?
            .trim()
            .parse()
            .ok()
    });
    let length: u64 = length.last().filter(|length| *length <= 1 << 20)?;
    let mut text = String::new();
    reader
        .take(length)
        .read_to_string(&mut text)
        .ok()
        .map(|_| text)
}
