//! Records as short ones usually are: a request, an answer without a body, a second capture of the same.

/// Which letters, lengths and distances occur in them, and how often, is all that counts.
pub(super) const RECORDS: [&str; 3] = [REQUEST, RESPONSE, REVISIT];

const REQUEST: &str = "WARC/1.1\r
WARC-Type: request\r
WARC-Record-ID: <urn:uuid:ed230f77-2044-4691-9a7d-9e28402ccc6f>\r
WARC-Date: 2026-11-15T08:30:12.407Z\r
WARC-Target-URI: https://www.example.org/news/2026/a-layer-of-sediment.html\r
WARC-IP-Address: 192.0.2.187\r
WARC-Protocol: http/1.1\r
WARC-Concurrent-To: <urn:uuid:5b1c9850-f5ab-4368-924d-5f8cb7c5a7aa>\r
Content-Type: application/http; msgtype=request\r
WARC-Block-Digest: sha256:e86eb0f5f57aa481224b18359fe982b4388d3a9adeeee97250eefc1df64575a9\r
Content-Length: 371\r
\r
GET /news/2026/a-layer-of-sediment.html HTTP/1.1\r
Host: www.example.org\r
User-Agent: varve/1.0 (web archive; +https://archive.example/crawler)\r
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r
Accept-Language: en,*;q=0.5\r
Accept-Encoding: gzip, deflate, br, zstd\r
Referer: https://www.example.org/news/\r
Connection: keep-alive\r
\r
\r
\r
";

const RESPONSE: &str = "WARC/1.1\r
WARC-Type: response\r
WARC-Record-ID: <urn:uuid:977e758f-f754-4354-8f13-cd8729521035>\r
WARC-Date: 2026-11-15T09:41:25.196Z\r
WARC-Target-URI: https://blog.example.com/about?page=3\r
WARC-IP-Address: 203.0.113.46\r
WARC-Protocol: http/1.1\r
WARC-Concurrent-To: <urn:uuid:31323b3c-a6be-4736-914f-ce48900c3a64>\r
Content-Type: application/http; msgtype=response\r
WARC-Payload-Digest: sha256:e5c4b84484ee4216e9373be99380320c25dd94805f99f0a805846f087636553f\r
WARC-Identified-Payload-Type: text/html\r
WARC-Block-Digest: sha256:c6368b3b8286ac4685d5a22631ed2156e401d603be68790f782f218706ef7900\r
Content-Length: 405\r
\r
HTTP/1.1 301 Moved Permanently\r
Server: Apache/2.4.58\r
Date: Sun, 15 Nov 2026 09:41:25 GMT\r
Content-Type: text/html; charset=utf-8\r
Content-Length: 154\r
Connection: keep-alive\r
Location: https://blog.example.com/about/\r
Cache-Control: max-age=3600\r
\r
<html><head><title>301 Moved Permanently</title></head><body><center><h1>301 Moved Permanently</h1></center><hr></body></html>
\r
\r
";

const REVISIT: &str = "WARC/1.1\r
WARC-Type: revisit\r
WARC-Record-ID: <urn:uuid:c4f8e026-7d13-4b95-a0c8-61f2e79b3d54>\r
WARC-Date: 2026-12-15T21:07:58.630Z\r
WARC-Target-URI: https://static.example.net/img/logo.png\r
WARC-IP-Address: 198.51.100.72\r
WARC-Protocol: http/1.1\r
WARC-Concurrent-To: <urn:uuid:02d9a8f4-35be-47c1-b6e0-8a7c519df3e2>\r
Content-Type: application/http; msgtype=response\r
WARC-Payload-Digest: sha256:7f4d9c01ab82e635d0c4f71e98b3a5264e1d70f8c29a6b53d8e7f0416ca92b85\r
WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r
WARC-Refers-To-Target-URI: https://static.example.net/img/logo.png\r
WARC-Refers-To-Date: 2026-11-15T09:41:26.048Z\r
WARC-Refers-To: <urn:uuid:8e50b7d3-f16a-4c29-93e4-d07b2fa561c8>\r
WARC-Truncated: length\r
WARC-Block-Digest: sha256:35ae0dc7824f196b8d20fe53c974a1b6e0829cf35d7164bae8f30c92d57b416e\r
Content-Length: 247\r
\r
HTTP/1.1 200 OK\r
Server: nginx\r
Date: Tue, 15 Dec 2026 21:07:58 GMT\r
Content-Type: image/png\r
Content-Length: 18432\r
Last-Modified: Fri, 04 Sep 2026 17:20:33 GMT\r
ETag: \"6afaa238-4800\"\r
Accept-Ranges: bytes\r
\r
\r
\r
";
