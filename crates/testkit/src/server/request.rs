//! A request as a server reads it: leniently, and with all its bytes kept.

/// A request with its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// All of it, as it came.
    pub raw: Vec<u8>,
    /// The first word, such as `GET`.
    pub method: String,
    /// The second word: a path, a whole URL (to a proxy), or `host:port` (of `CONNECT`).
    pub target: String,
    fields: Vec<(String, String)>,
    head_bytes: usize,
}

impl Request {
    /// Reads a request that is all there.
    pub(super) fn parse(raw: Vec<u8>) -> Request {
        let head_bytes = head_length(&raw).unwrap_or(raw.len());
        let head = String::from_utf8_lossy(raw.get(..head_bytes).unwrap_or_default()).into_owned();
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or_default().split(' ').map(str::to_owned);
        let method = words.next().unwrap_or_default();
        let target = words.next().unwrap_or_default();
        let fields = lines.filter_map(|line| line.split_once(':'));
        let fields = fields.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect();
        Request { raw, method, target, fields, head_bytes }
    }

    /// The value of a header field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// What follows the head.
    pub fn body(&self) -> &[u8] {
        self.raw.get(self.head_bytes..).unwrap_or_default()
    }

    /// The target's path, without its query. A whole URL is cut down to its path.
    pub fn path(&self) -> &str {
        let path = match self.target.split_once("://") {
            // A path may have a URL in its query.
            Some((_, rest)) if !self.target.starts_with('/') => {
                rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/")
            }
            _ => &self.target,
        };
        path.split('?').next().unwrap_or_default()
    }

    /// A parameter of the target's query, as it stands there.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let query = self.target.split_once('?').map(|(_, query)| query)?;
        query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(given, _)| *given == name)
            .map(|(_, value)| value)
    }

    /// A parameter that is a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.parameter(name)?.parse().ok()
    }

    /// The host that was asked for, without its port.
    pub fn host(&self) -> &str {
        let host = self.field("host").unwrap_or_default();
        if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() }
    }
}

/// How many of these bytes are the first request, once all of it is there.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let head = head_length(bytes)?;
    let text = String::from_utf8_lossy(bytes.get(..head)?).to_ascii_lowercase();
    let body = text.lines().filter_map(|line| line.strip_prefix("content-length:")).next();
    let body = body.and_then(|value| value.trim().parse::<usize>().ok()).unwrap_or(0);
    (bytes.len() >= head + body).then_some(head + body)
}

/// Where the head ends, its empty line included.
fn head_length(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_ends_with_its_body() {
        let bytes = b"POST /a?ms=5 HTTP/1.1\r\nHost: x:80\r\nContent-Length: 3\r\n\r\nabcGET";
        assert_eq!(length(&bytes[..bytes.len() - 5]), None);
        assert_eq!(length(bytes), Some(bytes.len() - 3));
        let request = Request::parse(bytes[..bytes.len() - 3].to_vec());
        assert_eq!((request.path(), request.number("ms"), request.host()), ("/a", Some(5), "x"));
        assert_eq!(request.body(), b"abc");
    }

    #[test]
    fn a_proxy_is_asked_for_whole_urls() {
        let request = Request::parse(b"GET http://a.test/b?c HTTP/1.1\r\n\r\n".to_vec());
        assert_eq!(request.path(), "/b");
        assert_eq!(Request::parse(b"GET http://a.test HTTP/1.1\r\n\r\n".to_vec()).path(), "/");
        assert_eq!(Request::parse(b"GET /to?http://a.test/ HTTP/1.1\r\n\r\n".to_vec()).path(), "/to");
    }
}
