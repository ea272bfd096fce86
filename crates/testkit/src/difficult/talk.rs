//! Pages that keep things, and pages that talk with their server without asking for anything.

use super::Page;
use super::files::{Body, CHECK_FILE, File, html};

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "cookies",
        about: "Cookies with paths, domains and ends; the document's domain.",
        files: &[html("/shop/cart", COOKIES), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "storage",
        about: "Storage of every kind that pages have.",
        files: &[html("/", STORAGE), CHECK_FILE],
        talk: &[],
    },
    Page {
        name: "sockets",
        about: "A socket, a stream of events, a beacon, a service worker.",
        files: &[
            html("/", SOCKETS),
            CHECK_FILE,
            File { host: "", path: "/events", mime: "text/event-stream", body: Body::Text(EVENTS) },
        ],
        talk: &["/socket", "/beacon", "/their-worker.js"],
    },
];

const COOKIES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
say('none', document.cookie);
document.cookie = 'a=1'; document.cookie = 'b=2; path=/'; document.cookie = 'c=3; path=/elsewhere'; document.cookie = 'd=4; max-age=0';
document.cookie = 'e=5; expires=Thu, 01 Jan 2037 00:00:00 GMT; path=/'; document.cookie = 'f=6; domain=other.example';
document.cookie = 'b=7; path=/';
say('some', document.cookie.split('; ').sort());
document.cookie = 'a=; expires=Thu, 01 Jan 1970 00:00:00 GMT'; document.cookie = 'g';
say('fewer', document.cookie.split('; ').sort());
say('domain', document.domain); say('enabled', navigator.cookieEnabled);
['b', 'e', 'g'].forEach(function (name) { document.cookie = name + '; path=/; max-age=0'; document.cookie = name + '=; path=/; max-age=0'; document.cookie = name + '; max-age=0'; });
say('left', document.cookie);
done();
</script></body></html>"#;

const STORAGE: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
(async function () {
  localStorage.setItem('one', 1); localStorage.two = 'zwei'; sessionStorage['three'] = '3'; delete localStorage.none;
  say('local', [localStorage.length, localStorage.getItem('one'), localStorage.two, Object.keys(localStorage).sort(), 'two' in localStorage,
    localStorage.getItem('none'), localStorage.none === undefined, JSON.stringify(localStorage).length, localStorage instanceof Storage]);
  localStorage.removeItem('one'); say('removed', [localStorage.length, localStorage.key(0), localStorage.key(9)]);
  sessionStorage.clear(); say('cleared', sessionStorage.length);
  var base = await new Promise(function (done, failed) { var asked = indexedDB.open('shelf', 1); asked.onerror = failed;
    asked.onupgradeneeded = function () { asked.result.createObjectStore('books'); }; asked.onsuccess = function () { done(asked.result); }; });
  say('base', [base.name, (await indexedDB.databases()).map(function (one) { return one.name; })]);
  var cache = await caches.open('cupboard'); await cache.put('/cup', new Response('tea'));
  say('cache', [await (await cache.match('/cup')).text(), await caches.keys(), (await cache.keys()).map(function (one) { return one.url; })]);
  done();
})().catch(fail);
</script></body></html>"#;

const EVENTS: &str = "data: first\n\nevent: named\ndata: second\n\n";

const SOCKETS: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div><script>
(async function () {
  say('socket', await new Promise(function (done) { var socket = new WebSocket('ws://' + location.host + '/socket'); var seen = [socket.readyState];
    socket.onerror = function () { seen.push('error'); }; socket.addEventListener('close', function (event) { seen.push(event.code, socket.readyState); done(seen); }); }));
  say('events', await new Promise(function (done) { var source = new EventSource('/events'); var seen = [source.url];
    source.onmessage = function (event) { seen.push(event.data, event.origin); };
    source.addEventListener('named', function (event) { seen.push(event.data); source.close(); done(seen); }); }));
  say('beacon', navigator.sendBeacon('/beacon', 'x=1'));
  done();
})().catch(fail);
</script></body></html>"#;
