//! Pages that are hard to see right: style sheets, images, drawings, media.

use super::Page;
use super::files::{Body, CHECK_FILE, File, css, drawing, html, on};

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "styles",
        about: "Style sheets import each other, name images and fonts; scripts add rules and declarations.",
        files: &[
            html("/", STYLES),
            CHECK_FILE,
            css("/css/main.css", STYLES_MAIN),
            css("/css/imported.css", ".two { background-image: url(../img/two.svg) }"),
            on("cdn", css("/styles/far.css", ".three { background: url('img/three.svg') }")),
            drawing("/css/one.svg", "red"),
            drawing("/img/two.svg", "green"),
            on("cdn", drawing("/styles/img/three.svg", "blue")),
            File {
                host: "",
                path: "/css/font.woff2",
                mime: "font/woff2",
                body: Body::Bytes(b"no font at all"),
            },
            drawing("/img/var.svg", "orange"),
            drawing("/img/made.svg", "teal"),
            drawing("/img/rule.svg", "purple"),
            drawing("/img/style.svg", "brown"),
            drawing("/img/text.svg", "gray"),
        ],
        talk: &[],
    },
    Page {
        name: "images",
        about: "Images by srcset, picture and script, and lazy ones that come when they are seen.",
        files: &[
            html("/", IMAGES),
            CHECK_FILE,
            drawing("/i/small.svg", "red"),
            drawing("/i/wide.svg", "green"),
            drawing("/i/lazy.svg", "blue"),
            drawing("/i/observed.svg", "orange"),
            drawing("/i/set.svg", "purple"),
            File { host: "", path: "/i/dot.gif", mime: "image/gif", body: Body::Bytes(DOT) },
        ],
        talk: &[],
    },
    Page {
        name: "drawings",
        about: "SVG that uses parts of another file, and a canvas that images are drawn on.",
        files: &[
            html("/", DRAWINGS),
            CHECK_FILE,
            File { host: "", path: "/sprite.svg", mime: "image/svg+xml", body: Body::Text(SPRITE) },
            drawing("/in-svg.svg", "teal"),
            on("cdn", drawing("/drawings/far.svg", "rgb(10,200,30)")),
        ],
        talk: &[],
    },
    Page {
        name: "media",
        about: "Media elements ask for ranges.",
        files: &[
            html("/", MEDIA),
            CHECK_FILE,
            File { host: "", path: "/tone.wav", mime: "audio/wav", body: Body::Silence },
            File { host: "", path: "/made.wav", mime: "audio/wav", body: Body::Silence },
            drawing("/poster.svg", "gold"),
        ],
        talk: &[],
    },
];

/// One dot, red.
const DOT: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\x00\x00!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00\x00\
    \x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

const STYLES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script><link rel="stylesheet" href="/css/main.css">
<style>@import "http://cdn.localhost:{port}/styles/far.css"; div.b { width: 300px; height: 40px; font-family: Odd, monospace }</style></head>
<body><div id="out"></div><div class="b one">one</div><div class="b two"></div><div class="b three"></div>
<div class="b" style="--pic: url(/img/var.svg); background: var(--pic)"></div><div class="b" id="made"></div><div class="b rule"></div>
<div class="b style"></div><div class="b" id="text"></div><script>
addEventListener('load', function () {
  document.getElementById('made').style.backgroundImage = 'url("/img/made.svg")';
  document.styleSheets[0].insertRule('.rule { background: url(/img/rule.svg) }', document.styleSheets[0].cssRules.length);
  var style = document.createElement('style'); style.textContent = '.style { background: url(/img/style.svg) }'; document.head.appendChild(style);
  document.getElementById('text').style.cssText = 'background: url(http://styles.localhost:{port}/img/text.svg)';
  say('sheet', document.styleSheets[0].href);
  say('width', getComputedStyle(document.querySelector('.two')).width);
  var wait = new Image(); wait.onload = function () { requestAnimationFrame(function () { done(); }); }; wait.src = '/img/text.svg';
});
</script></body></html>"#;

const STYLES_MAIN: &str = r#"@import url("imported.css");
@font-face { font-family: Odd; src: url(font.woff2) format("woff2"); }
.one { background: url(one.svg) }"#;

const IMAGES: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<img id="set" src="/i/never.svg" srcset="/i/small.svg 1x, /i/large.svg 4x">
<picture><source media="(min-width: 10px)" srcset="i/wide.svg"><img id="picture" src="/i/never.svg"></picture>
<img src="/i/lazy.svg" loading="lazy" id="lazy"><img data-src="/i/observed.svg" id="observed" width="100" height="60"><script>
function loaded(image) { return new Promise(function (done) { if (image.complete && image.naturalWidth) done(image.currentSrc); image.onload = function () { done(image.currentSrc); }; }); }
(async function () {
  say('set', [await loaded(document.getElementById('set')), document.getElementById('set').srcset.split(', ').length]);
  say('picture', await loaded(document.getElementById('picture')));
  say('lazy', await loaded(document.getElementById('lazy')));
  var observed = document.getElementById('observed');
  new IntersectionObserver(function (entries, self) { self.disconnect(); observed.src = observed.dataset.src; }).observe(observed);
  say('observed', await loaded(observed));
  var made = new Image(100, 60); made.srcset = 'i/set.svg 1x, /i/none.svg 3x'; document.body.append(made);
  say('made', [await loaded(made), made.srcset]);
  var dot = new Image(200, 100); dot.src = 'i/dot.gif'; document.body.append(dot); say('dot', await loaded(dot));
  done();
})().catch(fail);
</script></body></html>"#;

const SPRITE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg"><symbol id="a" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="crimson"/></symbol></svg>"##;

const DRAWINGS: &str = r##"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<svg width="120" height="120"><use href="/sprite.svg#a"></use></svg><svg width="120" height="80"><image href="in-svg.svg" width="100" height="60"/></svg>
<canvas id="canvas" width="200" height="100"></canvas><script>
var image = new Image(); image.crossOrigin = 'anonymous';
image.onload = function () {
  var pen = document.getElementById('canvas').getContext('2d'); pen.drawImage(image, 0, 0, 200, 100);
  say('dot', Array.from(pen.getImageData(50, 50, 1, 1).data));
  say('data', document.getElementById('canvas').toDataURL().slice(0, 22)); done();
};
image.onerror = fail;
image.src = 'http://cdn.localhost:{port}/drawings/far.svg';
</script></body></html>"##;

const MEDIA: &str = r#"<!DOCTYPE html><html><head><script src="/check.js"></script></head><body><div id="out"></div>
<video id="video" src="/tone.wav" poster="/poster.svg" width="200" height="120" preload="auto"></video><script>
var video = document.getElementById('video');
function ready(media) { return new Promise(function (done, failed) { media.onerror = function () { failed(media.error && media.error.message); };
  if (media.readyState >= 3) done(media.duration); media.oncanplay = function () { done(media.duration); }; }); }
(async function () {
  say('video', [await ready(video), video.currentSrc, video.poster]);
  var audio = new Audio('/made.wav'); say('audio', [await ready(audio), audio.src]);
  await new Promise(function (done) { audio.onseeked = done; audio.currentTime = 1.5; });
  say('sought', audio.currentTime);
  done();
})().catch(fail);
</script></body></html>"#;
