//! A small service that does what a valid invocation asks. Run `cargo run -p keyhole-ucan --example service`, then `nc
//! localhost 8080 < invocation.txt` with the text on one line. It remembers past invocations only in memory: store them
//! where a restart doesn't lose them.
use std::collections::BTreeSet;
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, SystemTime};

use keyhole_ucan::codec::cid::Cid;
use keyhole_ucan::{Conditions, Did, verify};

fn main() -> Result<(), Box<dyn Error>> {
    let me = Did::parse("did:web:example.com")?;
    let mut seen = BTreeSet::new();
    for client in TcpListener::bind("127.0.0.1:8080")?.incoming() {
        // One client's error must not stop the server.
        if let Err(error) = client
            .map_err(Into::into)
            .and_then(|it| serve(it, &me, &mut seen))
        {
            eprintln!("{error}");
        }
    }
    Ok(())
}

fn serve(mut client: TcpStream, me: &Did, seen: &mut BTreeSet<Cid>) -> Result<(), Box<dyn Error>> {
    client.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut text = String::new();
    BufReader::new((&client).take(1 << 20)).read_line(&mut text)?;
    let now = SystemTime::UNIX_EPOCH.elapsed()?.as_secs() as i64;
    let conditions = Conditions {
        audience: Some(me),
        seen,
        ..Conditions::at(now)
    };
    match verify(text.trim(), &conditions) {
        Ok(allowed) => {
            let asked = allowed.invocation.payload();
            // Anyone can invoke anything on a resource they own, so a real service checks the subject here.
            seen.insert(allowed.invocation.cid());
            writeln!(client, "{} for {}", asked.command.as_str(), asked.subject)?;
        }
        Err(refusal) => writeln!(client, "{refusal}")?,
    }
    Ok(())
}
