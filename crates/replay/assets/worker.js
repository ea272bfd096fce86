// The service worker of replay: whatever a page in it asks for that is not in the archive's own form is looked up there.
//
// Addresses of the archive are `/<collection>/<14 digits><modifier>/<archived URL>`. A page's request for anything else, an
// absolute URL of another host or one relative to the root, is answered with the capture of what the live page would have got,
// at the time of the page. Requests never go to another origin from here, and nothing is cached: the server has it all.
'use strict';

const HOME = self.location.origin;
const ASSETS = '/-/';
const CAPTURE = /^(\/[^/]+\/)(\d{14})([a-z]{2,3}_)?\/((?:https?:\/).+)$/i;
// What people type: fewer digits, no scheme, a star for the calendar.
const LOOKUP = /^\/[^/]+\/(?:\d{1,14}(?:[a-z]{2,3}_)?|[\d*]+)\/./;
const MODIFIERS = {
  image: 'im_', script: 'js_', style: 'cs_', audioworklet: 'js_', paintworklet: 'js_', worker: 'sw_', sharedworker: 'sw_',
  audio: 'oe_', video: 'oe_', track: 'oe_', font: 'oe_', embed: 'oe_', object: 'oe_', iframe: 'if_', frame: 'if_',
};

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin === HOME && isPlain(request, url)) return;
  event.respondWith(answer(event, url));
});

/** Whether a request is for the server as it stands. */
function isPlain(request, url) {
  if (CAPTURE.test(pathOf(url))) return true;
  const from = captureOf(request.referrer);
  if (from === null) return request.mode === 'navigate';
  // Our own assets, as far as documents load them; a page's script that asks for such a path means its own site.
  return url.pathname.startsWith(ASSETS) && request.destination !== '';
}

async function answer(event, url) {
  const { request } = event;
  try {
    const from = captureOf(request.referrer) || (await clientOf(event));
    // A page of our own, such as the calendar, may ask the server for what it likes.
    if (from === null) return url.origin === HOME ? fetch(request) : missing(url);
    if (request.mode === 'navigate' && LOOKUP.test(url.pathname) && url.pathname.startsWith(from.prefix)) return fetch(request);
    const target = archived(from, url, request);
    if (target === null) return missing(url);
    if (request.mode === 'navigate') return Response.redirect(target, 307);
    return await fetch(await copyOf(request, target));
  } catch {
    return missing(url);
  }
}

/** What an address of the archive says: `{ prefix, timestamp, modifier, url }`, or null if it is none. */
function captureOf(address) {
  if (!address || !address.startsWith(HOME + '/')) return null;
  const found = CAPTURE.exec(pathOf(new URL(address)));
  if (found === null) return null;
  const url = found[4].replace(/^(https?:)\/+/i, '$1//');
  return { prefix: found[1], timestamp: found[2], modifier: found[3] || '', url };
}

function pathOf(url) {
  return url.pathname + url.search;
}

async function clientOf(event) {
  const client = await self.clients.get(event.clientId || event.resultingClientId);
  return client ? captureOf(client.url) : null;
}

/** Where in the archive a request of a captured page leads. */
function archived(from, url, request) {
  const live = new URL(url.origin === HOME ? pathOf(url) : url.href, from.url);
  if (!/^https?:$/.test(live.protocol)) return null;
  return HOME + from.prefix + from.timestamp + modifierFor(request, from) + '/' + live.href;
}

function modifierFor(request, from) {
  if (request.mode === 'navigate' && request.destination === 'document') return from.modifier === '' ? '' : 'if_';
  return Object.prototype.hasOwnProperty.call(MODIFIERS, request.destination) ? MODIFIERS[request.destination] : 'id_';
}

/** The same request for another address: method, fields (`Range` among them) and body stay, credentials do not. */
async function copyOf(request, target) {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  return new Request(target, {
    method: request.method,
    headers: request.headers,
    body: hasBody ? await request.arrayBuffer() : undefined,
    mode: 'same-origin',
    credentials: 'omit',
    redirect: request.redirect,
    referrer: request.referrer,
    cache: request.cache === 'only-if-cached' ? 'default' : request.cache,
    signal: request.signal,
  });
}

function missing(url) {
  const text = 'Not in the archive: ' + url.href;
  return new Response(text, { status: 404, statusText: 'Not Found', headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
