//! The server as a program: started at a port, listened to until it says where it listens, stopped by its id.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::{ACCESS_KEY, SECRET_KEY};

/// So long it may take until it listens. A loaded machine needs many seconds.
const START_MAX: Duration = Duration::from_secs(60);

/// A running server.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    address: SocketAddr,
}

impl Process {
    /// Starts it over a folder. Port 0 is any that is free.
    #[track_caller]
    pub(super) fn start(program: &Path, folder: &Path, port: u16) -> Process {
        let mut command = Command::new(program);
        command.args(["--host", "127.0.0.1", "--port", &port.to_string()]);
        command.args(["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY]).arg(folder);
        // It says where it listens in a line of its log, and nowhere else.
        command.env("RUST_LOG", "s3s_fs=info").env("NO_COLOR", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the S3 server starts");
        let talk = child.stdout.take().expect("its standard output is a pipe");
        let (found, address) = mpsc::channel();
        // Reads on to the end: a full pipe would stop the server.
        thread::spawn(move || {
            for line in BufReader::new(talk).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                if let Some((_, address)) = line.split_once("server is running at http://") {
                    drop(found.send(address.trim().parse::<SocketAddr>()));
                }
            }
        });
        match address.recv_timeout(START_MAX) {
            Ok(Ok(address)) => Process { child, address },
            _ => {
                drop(child.kill());
                drop(child.wait());
                panic!("the S3 server did not say where it listens");
            }
        }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
