//! Pages that ask where they are, or go elsewhere.

use super::Page;
use super::files::{CHECK_FILE, drawing, html, json, on, script};

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "location-reads",
        about: "Scripts read every part of their address, by every name.",
        files: &[html("/dir/page.html?q=1", READS), CHECK_FILE, script("/dir/reads.js", READS_SCRIPT)],
        talk: &[],
    },
    Page {
        name: "location-writes",
        about: "A script moves by fragment and then to another page.",
        files: &[html("/", WRITES), CHECK_FILE, html("/second?from=first", SECOND)],
        talk: &[],
    },
    Page {
        name: "router",
        about: "A router on the history interface, with data relative to where it has gone.",
        files: &[
            html("/", ROUTER),
            CHECK_FILE,
            json("/shop/data.json", r#"{"items":3}"#),
            drawing("/shop/a/pic.svg", "teal"),
        ],
        talk: &[],
    },
    Page {
        name: "origin-built",
        about: "Addresses are put together from the parts of the page's own.",
        files: &[
            html("/deep/er/", BUILT),
            CHECK_FILE,
            json("/api/one.json", r#"{"one":1}"#),
            drawing("/pic/two.svg", "purple"),
            on("cdn", drawing("/origin-built/three.svg", "orange")),
            script("/deep/er/four.js", "say('four', document.currentScript.src);"),
        ],
        talk: &[],
    },
    Page {
        name: "base-href",
        about: "Everything relative is relative to another host's folder.",
        files: &[
            html("/start/", BASE),
            CHECK_FILE,
            on("cdn", drawing("/base/dir/pic.svg", "navy")),
            on("cdn", drawing("/base/dir/made.svg", "green")),
            on("cdn", json("/base/dir/data.json", "[1,2,3]")),
        ],
        talk: &[],
    },
    Page {
        name: "meta-refresh",
        about: "The page is left for another without any script.",
        files: &[html("/", REFRESH), html("/after", AFTER), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "form-get",
        about: "A form is sent by a script to where its action says.",
        files: &[html("/", FORM), CHECK_FILE, html("/result?q=one+two&x=%C3%A9", FORM_RESULT)],
        talk: &[],
    },
];

const READS: &str = r#"<!DOCTYPE html><html><head><title>Reads</title><script src="/check.js"></script></head>
<body><div id="out"></div><script>
say('href', location.href); say('parts', [location.protocol, location.host, location.hostname, location.port,
  location.pathname, location.search, location.hash, location.origin]);
say('named', window.location.href + ' ' + document.location.pathname + ' ' + self['location'].host);
say('same', [window.location === document.location, location instanceof Location, String(location) === location.href]);
say('document', [document.URL, document.documentURI, document.baseURI, document.domain, document.referrer, origin]);
var o = { location: 'here', nested: { location: 7 } }; o.location += '!';
say('own', [o.location, o.nested.location, Object.keys(o), JSON.stringify(o)]);
(function (location) { say('argument', location); })('mine');
say('shorthand', Object.keys({ location }));
</script><script src="reads.js"></script></body></html>"#;

const READS_SCRIPT: &str = r#"
const { pathname } = window.location;
say('destructured', pathname);
say('script', document.currentScript.src);
say('url', new URL('other?x#y', location).href);
class Store { constructor() { this.location = 'shelf'; } get where() { return this.location; } }
say('class', new Store().where);
say('native', [String(fetch), Function.prototype.toString.call(history.pushState)]);
say('typeof', [typeof location, typeof location.assign, Object.prototype.toString.call(location)]);
done();
"#;

const WRITES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body>first<script>
location.hash = 'part';
if (location.href.slice(-6) !== '/#part') location.hash = 'wrong';
setTimeout(function () { location.href = '/second?from=first'; }, 10);
</script></body></html>"#;

const SECOND: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
say('arrived', location.href); say('referrer', document.referrer); say('length', history.length > 1); done();
</script></body></html>"#;

const ROUTER: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
window.addEventListener('popstate', function (event) {
  say('back', [location.pathname, event.state]);
  fetch('data.json').then(function (answer) { say('url', answer.url); return answer.json(); }).then(function (data) {
    say('data', data);
    var image = new Image(); image.onload = function () { say('image', image.width); done(); }; image.onerror = fail;
    image.src = 'a/pic.svg'; document.body.appendChild(image);
  }).catch(fail);
});
history.replaceState({ page: 0 }, '', '/shop/start?x=1#top');
say('replaced', [location.href, document.URL, document.baseURI]);
history.pushState({ page: 1 }, '', 'item');
say('pushed', location.href);
try { history.pushState(null, '', 'http://other.example/'); say('foreign', 'let'); } catch (error) { say('foreign', error.name); }
history.back();
</script></body></html>"#;

const BUILT: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
fetch(location.origin + '/api/one.json').then(function (answer) { return answer.json(); }).then(function (data) {
  say('one', data);
  var two = document.createElement('img'); two.src = location.protocol + '//' + location.host + '/pic/two.svg';
  two.onload = function () {
    say('two', [two.src, two.width]);
    document.body.insertAdjacentHTML('beforeend', '<img id="three" src="//cdn.localhost:' + location.port + '/origin-built/three.svg">');
    document.getElementById('three').onload = function () {
      say('three', [this.src, this.getAttribute('src').replace(/^http:/, '')]);
      var four = document.createElement('script'); four.setAttribute('src', location.href + 'four.js');
      four.onload = done; document.head.appendChild(four);
    };
  };
  document.body.appendChild(two);
}).catch(fail);
</script></body></html>"#;

const BASE: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script>
<base href="http://cdn.localhost:{port}/base/dir/"></head><body><div id="out"></div><img src="pic.svg"><script>
say('base', document.baseURI); say('place', location.href);
var link = document.createElement('a'); link.href = 'x/../y?z'; say('link', [link.href, link.pathname, link.host, link.search]);
fetch('data.json').then(function (answer) { return answer.json(); }).then(function (data) {
  say('data', data);
  var image = new Image(); image.onload = function () { say('image', image.src); done(); }; image.src = 'made.svg';
  document.body.appendChild(image);
}).catch(fail);
</script></body></html>"#;

const REFRESH: &str = r#"<!DOCTYPE html><html><head><meta http-equiv="refresh" content="0; url=/after"></head><body>wait</body></html>"#;

const AFTER: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body style="background: gold"><div id="out"></div>
<script>say('after', location.pathname); done();</script></body></html>"#;

const FORM: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body>
<form id="form" action="/nowhere"><input name="q" value="one two"><input name="x" value="é"></form><script>
var form = document.getElementById('form');
form.action = '/result';
if (form.action === location.origin + '/result') setTimeout(function () { form.submit(); }, 10);
</script></body></html>"#;

const FORM_RESULT: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
say('asked', new URLSearchParams(location.search).get('x')); say('query', location.search); done();
</script></body></html>"#;
