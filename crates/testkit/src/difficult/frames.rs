//! Pages of several documents, and trees within trees.

use super::Page;
use super::files::{CHECK_FILE, drawing, html, on};

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "frames",
        about: "Frames without an address of their own: srcdoc, blank, written into, and one with.",
        files: &[
            html("/dir/", FRAMES),
            CHECK_FILE,
            html("/dir/child.html", CHILD),
            drawing("/dir/child.svg", "red"),
            drawing("/srcdoc.svg", "green"),
            drawing("/dir/blank.svg", "blue"),
            drawing("/written.svg", "orange"),
        ],
        talk: &[],
    },
    Page {
        name: "post-message",
        about: "Two origins talk with each other, each minding whom.",
        files: &[html("/", MESSAGES), CHECK_FILE, on("partner", html("/widget.html", WIDGET))],
        talk: &[],
    },
    Page {
        name: "shadow",
        about: "Custom elements, shadow trees, and templates that are cloned.",
        files: &[
            html("/", SHADOW),
            CHECK_FILE,
            drawing("/shadow/one.svg", "teal"),
            drawing("/shadow/two.svg", "maroon"),
            drawing("/shadow/three.svg", "indigo"),
        ],
        talk: &[],
    },
];

const FRAMES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<iframe id="child" src="child.html" width="300" height="90"></iframe><div id="box"></div><script>
function frame() { var made = document.createElement('iframe'); made.width = 300; made.height = 90; return made; }
function loaded(image) { return new Promise(function (done, failed) { if (image.complete && image.width) done(image.src);
  image.onload = function () { done(image.src); }; image.onerror = function () { failed(image.src); }; }); }
var box = document.getElementById('box');
addEventListener('load', async function () { try {
  var child = document.getElementById('child').contentWindow;
  say('child', [child.location.pathname, child.seen, child.parent === window, frames.length]);
  var blank = frame(); box.appendChild(blank);
  var inner = blank.contentDocument; var image = inner.createElement('img'); image.src = 'blank.svg'; inner.body.appendChild(image);
  say('blank', [await loaded(image), blank.contentWindow.location.href, inner.URL]);
  var written = frame(); box.appendChild(written);
  written.contentDocument.open(); written.contentDocument.write('<body><img src="/written.svg"></body>'); written.contentDocument.close();
  say('written', await loaded(written.contentDocument.images[0]));
  var doc = frame(); doc.srcdoc = '<!DOCTYPE html><body><img src="/srcdoc.svg"><script>window.seen = [location.href, document.baseURI, document.compatMode]<\/script></body>';
  await new Promise(function (done) { doc.onload = done; box.appendChild(doc); });
  say('srcdoc', [doc.contentWindow.seen, await loaded(doc.contentDocument.images[0])]);
  done();
} catch (error) { fail(error); } });
</script></body></html>"#;

const CHILD: &str = r#"<!DOCTYPE html><html><body><img src="child.svg"><script>
window.seen = [location.href, document.referrer, parent.location.pathname, top === parent, parent.document.title];
</script></body></html>"#;

const MESSAGES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<iframe id="widget" src="http://partner.localhost:{port}/widget.html" width="400" height="120"></iframe><script>
var widget = document.getElementById('widget'); var count = 0;
addEventListener('message', function (event) {
  count += 1;
  say('heard ' + count, [event.data, event.origin, event.source === widget.contentWindow]);
  if (count === 1) {
    widget.contentWindow.postMessage({ say: 'not for you' }, 'http://nobody.localhost:{port}');
    widget.contentWindow.postMessage({ say: 'hello' }, 'http://partner.localhost:{port}');
  } else if (count === 2) done();
});
</script></body></html>"#;

const WIDGET: &str = r#"<!DOCTYPE html><html><body style="background: khaki"><p id="text">waiting</p><script>
addEventListener('message', function (event) {
  document.getElementById('text').textContent = event.data.say + ' from ' + event.origin;
  event.source.postMessage(['reply', event.data.say, event.origin, location.host], event.origin);
});
parent.postMessage('ready', '*');
</script></body></html>"#;

const SHADOW: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<template id="card"><article><img src="/shadow/one.svg"><a href="/one">one</a></article></template><my-card></my-card><script>
function loaded(image) { return new Promise(function (done) { if (image.complete && image.width) done(image.src); image.onload = function () { done(image.src); }; }); }
customElements.define('my-card', class extends HTMLElement { connectedCallback() {
  this.root = this.attachShadow({ mode: 'open' });
  this.root.append(document.getElementById('card').content.cloneNode(true));
  this.root.innerHTML += '<style>:host { background: url(/shadow/two.svg) repeat-x; display: block; height: 80px } img { width: 50px }</style>';
} });
(async function () {
  var root = document.querySelector('my-card').shadowRoot;
  say('cloned', [await loaded(root.querySelector('img')), root.querySelector('a').href]);
  var template = document.createElement('template'); template.innerHTML = '<img src="/shadow/three.svg">';
  document.body.append(document.importNode(template.content, true));
  say('template', await loaded(document.body.lastElementChild));
  done();
})().catch(fail);
</script></body></html>"#;
