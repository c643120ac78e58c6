//! Tests the messages that the example `proxy` forwards.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::Ordering;
use std::thread;

use super::proxy::Proxy;

fn new() -> Proxy {
    Proxy {
        table: "orders".to_owned(),
        schema: "app".to_owned(),
        name: "orders_v2".to_owned(),
        reads: 0.into(),
        writes: 0.into(),
    }
}

fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
    [&[tag][..], &length, body].concat()
}

#[test]
fn tables_get_another_name() {
    let proxy = new();
    let rewrite = |sql| proxy.rewrite(sql).unwrap();
    assert_eq!(rewrite("SELECT 1 FROM orders o").as_deref(), Some("SELECT 1 FROM app.orders_v2 o"));
    assert_eq!(rewrite("DELETE FROM orders").as_deref(), Some("DELETE FROM app.orders_v2"));
    assert_eq!(rewrite("SELECT 1 FROM x.orders"), None);
    assert_eq!(rewrite("INSERT INTO t VALUES (1)"), None);
    assert!(proxy.rewrite("SELEC").is_err());
    let counted = [&proxy.reads, &proxy.writes].map(|counter| counter.load(Ordering::Relaxed));
    assert_eq!(counted, [2, 2]);
    for sql in
        ["SELECT nextval('s')", "SELECT f()", "TABLE t FOR UPDATE", "EXPLAIN ANALYZE DELETE FROM t"]
    {
        assert_eq!(rewrite(sql), None);
    }
    assert_eq!(proxy.writes.load(Ordering::Relaxed), 6);

    // What a `WITH` names is not the table.
    assert_eq!(rewrite("WITH orders AS (SELECT 1) SELECT * FROM orders"), None);
    assert_eq!(
        rewrite("WITH orders AS (SELECT * FROM orders) SELECT * FROM orders").as_deref(),
        Some("WITH orders AS (SELECT * FROM app.orders_v2) SELECT * FROM orders")
    );
    assert_eq!(rewrite("DROP TABLE orders").as_deref(), Some("DROP TABLE app.orders_v2"));
}

/// Returns the server's input for a client's messages, and the answer to the client.
fn through(sent: &[u8]) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let front = TcpListener::bind("127.0.0.1:0")?;
    let back = TcpListener::bind("127.0.0.1:0")?;
    let mut client = TcpStream::connect(front.local_addr()?)?;
    let mut to_server = TcpStream::connect(back.local_addr()?)?;
    let (at_front, _) = front.accept()?;
    let (mut server, _) = back.accept()?;
    let worker = thread::spawn(move || new().requests(at_front, &mut to_server));
    client.write_all(sent)?;
    client.shutdown(std::net::Shutdown::Write)?;
    let (mut got, mut told) = (Vec::new(), Vec::new());
    server.read_to_end(&mut got)?;
    client.read_to_end(&mut told)?;
    worker.join().unwrap()?;
    Ok((got, told))
}

#[test]
fn messages_are_handed_on() {
    let ssl = [0, 0, 0, 8, 4, 210, 22, 47];
    let startup = [0, 0, 0, 9, 0, 3, 0, 0, 0];
    let other = message(b'B', &[1, 0, 2]);
    let wrong = message(b'Q', b"SELEC 1 FROM orders\0");
    let sent = [
        &ssl[..],
        &startup,
        &message(b'Q', b"SELECT 1 FROM orders\0"),
        &message(b'P', b"name\0SELECT $1 FROM orders\0\0\x01\0\0\0\x17"),
        &other,
        &wrong,
    ];
    let expected = [
        &startup[..],
        &message(b'Q', b"SELECT 1 FROM app.orders_v2\0"),
        &message(b'P', b"name\0SELECT $1 FROM app.orders_v2\0\0\x01\0\0\0\x17"),
        &other,
        &wrong,
    ];
    let (got, told) = through(&sent.concat()).unwrap();
    assert_eq!(got, expected.concat());
    assert_eq!(told, b"N");
    assert!(through(&[0, 0, 0, 1]).is_err());
}
