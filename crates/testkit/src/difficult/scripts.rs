//! Pages whose scripts load scripts, data and workers.

use super::Page;
use super::files::{Body, CHECK_FILE, File, drawing, html, json, on, script};

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "links-by-script",
        about: "Links are made in every way that scripts have, and read again.",
        files: &[html("/a/b/", LINKS), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "fetch-xhr",
        about: "Data is asked for with relative, rooted and absolute addresses, over redirects too.",
        files: &[
            html("/app/", FETCH),
            CHECK_FILE,
            json("/app/relative.json", r#"{"n":1}"#),
            json("/rooted.json", r#"{"n":2,"url":"http://fetch-xhr.localhost:{port}/rooted.json"}"#),
            on("cdn", json("/fetch/absolute.json", r#"{"n":3}"#)),
            json("/xhr.json?a=1&b=%20", r#"{"n":4}"#),
            File { host: "", path: "/moved", mime: "text/plain", body: Body::Redirect("/landed.json") },
            json("/landed.json", r#"{"n":5}"#),
            html("/app/fragment.html", "<p>part <img src='/pic.svg' id='part'></p>"),
            drawing("/pic.svg", "crimson"),
        ],
        talk: &[],
    },
    Page {
        name: "post-json",
        about: "What a POST gets depends on what was sent.",
        files: &[
            html("/", POST),
            CHECK_FILE,
            File {
                host: "",
                path: "/api",
                mime: "application/json",
                body: Body::Reply(r#"{"ask":"first"}"#, r#"{"got":1}"#),
            },
            File {
                host: "",
                path: "/api?x",
                mime: "application/json",
                body: Body::Reply("ask=second", r#"{"got":2}"#),
            },
        ],
        talk: &[],
    },
    Page {
        name: "modules",
        about: "A graph of modules: relative, rooted, of another host, imported later, and an image beside one of them.",
        files: &[
            html("/", MODULES),
            CHECK_FILE,
            script("/m/main.js", MODULES_MAIN),
            script("/m/a.js", "export { b as a } from '/m/b.js';"),
            script("/m/b.js", "export const b = 'b at ' + location.pathname;"),
            on("cdn", script("/modules/c.js", "import './deep.js'; export default 'c';")),
            on("cdn", script("/modules/deep.js", "globalThis.deep = true;")),
            script("/m/d.js", "export const d = 'd';"),
            script("/m/e.js", "export const e = 'e';"),
            drawing("/m/pic.svg", "olive"),
        ],
        talk: &[],
    },
    Page {
        name: "workers",
        about: "Workers from a file, a blob and a module, that load scripts and data themselves.",
        files: &[
            html("/", WORKERS),
            CHECK_FILE,
            script("/w/worker.js", WORKER),
            script("/w/lib.js", "self.lib = 'lib';"),
            on("cdn", script("/workers/far.js", "self.far = 'far';")),
            json("/w/data.json", "[4,5]"),
            json("/w/blob.json", "[6]"),
            script(
                "/w/module.js",
                "import { part } from './part.js'; postMessage([part, location.pathname, typeof location.href]);",
            ),
            script("/w/part.js", "export const part = 'part';"),
        ],
        talk: &[],
    },
    Page {
        name: "late-scripts",
        about: "Scripts come by document.write, by text put into elements, and from JSONP.",
        files: &[
            html("/", LATE),
            CHECK_FILE,
            script("/written.js", "say('written', document.currentScript.getAttribute('src').slice(-11));"),
            on("cdn", script("/late/far.js", "say('far', location.host);")),
            script("/jsonp?callback=take", "take({ place: 'jsonp' });"),
            drawing("/late.svg", "brown"),
        ],
        talk: &[],
    },
];

const LINKS: &str = r##"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><div id="box"></div><script>
var box = document.getElementById('box');
function made(set) { var link = document.createElement('a'); set(link); link.textContent = 'x'; box.appendChild(link);
  return [link.href, link.getAttribute('href'), link.pathname, link.hash, String(link)]; }
say('property', made(function (a) { a.href = '/rooted#x'; }));
say('attribute', made(function (a) { a.setAttribute('href', '../up?q'); }));
say('absolute', made(function (a) { a.href = 'https://other.example:8080/p'; }));
say('other', made(function (a) { a.href = 'mailto:me@example.org'; }));
say('part', made(function (a) { a.href = '/x?y'; a.pathname = '/changed'; a.search = ''; }));
box.innerHTML += '<a id="i" href="/in?a=1&amp;b=2">in</a><a id="j" href="#frag">j</a>';
say('inner', [i.href, i.getAttribute('href').slice(-10), j.getAttribute('href'), j.hash]);
var range = document.createRange(); box.append(range.createContextualFragment('<a id="k" href="//cdn.localhost/k">k</a>'));
say('fragment', k.href);
box.insertAdjacentHTML('beforeend', '<form id="f" action="/f"><button formaction="/g" id="g">g</button></form>');
say('form', [f.action, g.formAction]);
var parsed = new DOMParser().parseFromString('<a href="http://x.example/p">p</a>', 'text/html').querySelector('a');
say('parsed', [parsed.getAttribute('href'), parsed.outerHTML]);
var copy = document.getElementById('i').cloneNode(true); say('copy', copy.href);
var svg = document.createElementNS('http://www.w3.org/2000/svg', 'a'); svg.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '/svg');
say('svg', svg.getAttribute('xlink:href'));
box.style.display = 'none';
done();
</script></body></html>"##;

const FETCH: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><div id="box"></div><script>
function ask(verb, url) { return new Promise(function (done, failed) { var request = new XMLHttpRequest(); request.open(verb, url);
  request.responseType = 'json'; request.onload = function () { done([request.status, request.responseURL, request.response]); };
  request.onerror = failed; request.send(); }); }
(async function () {
  var one = await fetch('relative.json'); say('relative', [one.url, one.status, await one.json()]);
  var two = await fetch(new URL('/rooted.json', location.href)); say('rooted', [two.url, await two.json()]);
  var three = await fetch(new Request('http://cdn.localhost:{port}/fetch/absolute.json', { mode: 'cors' })); say('absolute', [three.url, await three.json()]);
  say('request', new Request('/x').url);
  say('xhr', await ask('GET', '/xhr.json?a=1&b=%20'));
  var five = await fetch('/moved'); say('moved', [five.redirected, five.url, await five.json()]);
  var gone = await fetch('/not-there.json'); say('gone', gone.status);
  document.getElementById('box').innerHTML = await (await fetch('fragment.html')).text();
  document.getElementById('part').onload = function () { say('part', [this.src, document.getElementById('box').children.length]);
    say('timing', performance.getEntriesByName(location.origin + '/rooted.json').length > 0); done(); };
})().catch(fail);
</script></body></html>"#;

const POST: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
(async function () {
  var one = await fetch('/api', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ ask: 'first' }) });
  say('json', [one.status, await one.json()]);
  var two = await fetch('/api?x', { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'ask=second' });
  say('form', [two.status, await two.json()]);
  done();
})().catch(fail);
</script></body></html>"#;

const MODULES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<script type="module" src="/m/main.js"></script></body></html>"#;

const MODULES_MAIN: &str = r#"
import { a } from './a.js';
import c from 'http://cdn.localhost:{port}/modules/c.js';
say('graph', [a, c, globalThis.deep]);
const d = await import('./d.js');
const e = await import('/m/e.js');
say('later', [d.d, e.e]);
const image = new Image();
image.onload = () => { say('image', [image.src, image.width]); done(); };
image.src = new URL('pic.svg', import.meta.url);
document.body.append(image);
"#;

const WORKERS: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
function heard(worker) { return new Promise(function (done, failed) { worker.onmessage = function (event) { done(event.data); };
  worker.onerror = function (event) { failed(event.message || 'worker'); }; }); }
(async function () {
  say('file', await heard(new Worker('/w/worker.js')));
  var text = 'fetch("http://workers.localhost:{port}/w/blob.json").then(a => a.json()).then(data => postMessage([data, self.origin]))';
  var url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  var worker = new Worker(url); URL.revokeObjectURL(url);
  say('blob', await heard(worker));
  say('module', await heard(new Worker('/w/module.js', { type: 'module' })));
  done();
})().catch(fail);
</script></body></html>"#;

const WORKER: &str = r#"
importScripts('lib.js', 'http://cdn.localhost:{port}/workers/far.js');
fetch('data.json').then(function (answer) { return answer.json().then(function (data) {
  postMessage([lib, far, location.href, location.pathname, answer.url, data]); }); });
"#;

const LATE: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
document.write('<scr' + 'ipt src="/written.js"></scr' + 'ipt>');
document.write('<scr' + 'ipt>say("inline", location.pathname)</scr' + 'ipt><img src="/late.svg" onload="say(\'drawn\', this.src + location.hash)">');
</script><script>
function take(data) { say('jsonp', data);
  var text = document.createElement('script'); text.text = 'say("text", window.location.href)'; document.body.appendChild(text);
  var node = document.createElement('script'); node.appendChild(document.createTextNode('say("node", document.location.host)')); document.head.appendChild(node);
  var far = document.createElement('script'); far.onload = function () { setTimeout(finish, 0); }; far.src = 'http://cdn.localhost:{port}/late/far.js';
  document.getElementsByTagName('script')[0].parentNode.insertBefore(far, document.getElementsByTagName('script')[0]); }
function finish() { if (!results.drawn) return setTimeout(finish, 20); setTimeout('say("timer", location.pathname); inOrder(); done()', 0); }
// Which comes first is chance: the drawing, or what the scripts say meanwhile.
function inOrder() { var out = document.getElementById('out'), lines = Array.from(out.children);
  lines.sort(function (one, other) { return one.textContent < other.textContent ? -1 : 1; }).forEach(function (line) { out.appendChild(line); }); }
</script><script src="/jsonp?callback=take"></script></body></html>"#;
