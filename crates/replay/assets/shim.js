// The shim: lets the scripts of an archived page believe that they are where they once were.
//
// It is the first script of every archived document and worker. What scripts ask of the browser about addresses (location,
// links, cookies, storage, messages) is answered as the live page would have been; what they send for is fetched from the
// archive. It reads one object, `__varve`, which the server puts before it: {prefix, timestamp, modifier, url, pages, pin}.
//
// Two words are used throughout. To *wrap* an address is to turn an archived one into one of the replay server, to *unwrap*
// it the way back. README.md beside this file tells how shim, worker and server work together.
//
// Nothing here may throw while it starts: each part is on its own, and one that fails leaves the browser's own in place.
(function varveShim(self, given) {
  'use strict';

  const config = given || self.__varve;
  if (!config || typeof config.url !== 'string' || typeof config.timestamp !== 'string') return;
  // A frame's first, empty document shares its window with the page that follows: it is told where it is now.
  if (self.__varve_state) {
    self.__varve_state.moved(config);
    return;
  }

  // A frame's window may outlive its first, empty document.
  let document = self.document;
  const real = self.location;
  const NativeURL = self.URL;
  const defineProperty = Object.defineProperty;
  const descriptorOf = Object.getOwnPropertyDescriptor;
  const nativeToString = Function.prototype.toString;
  const SOURCE = nativeToString.call(varveShim);
  const faults = [];

  function part(name, body) {
    try {
      body();
    } catch (error) {
      faults.push(name + ': ' + error);
    }
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // Where we are, really and as the page sees it.

  const HOME = config.home || real.origin;
  const PREFIX = new NativeURL(config.prefix, HOME).pathname;
  const MINE = new RegExp('^(?:' + escaped(HOME) + ')?' + escaped(PREFIX) + '(\\d{1,14})([a-z]{2,3}_)?/([^]+)$');
  const MINE_ANYWHERE = new RegExp(
    '(?:' + escaped(HOME) + ')?' + escaped(PREFIX) + '\\d{14}(?:[a-z]{2,3}_)?/(?=https?:)', 'g');
  // Frames without an address of their own; their links resolve against the page that made them.
  let isBlank = /^about:/.test(real.href);
  // Pages lead to pages with the banner if they have it themselves.
  const LINK = config.modifier === '' ? '' : 'if_';
  // What scripts read themselves comes as it was captured: whatever they do with it passes through here again.
  const DATA = 'id_';
  let started = { real: withoutHash(real.href), url: normal(config.url) };

  function escaped(text) {
    return text.replace(/[.*+?^${}()|[\]\\\/]/g, '\\$&');
  }

  function withoutHash(url) {
    const hash = url.indexOf('#');
    return hash < 0 ? url : url.slice(0, hash);
  }

  function normal(url) {
    try {
      return new NativeURL(url).href;
    } catch {
      return url;
    }
  }

  /** The archived address inside one of ours, or null. */
  function unwrap(url) {
    const found = MINE.exec(url);
    if (!found) return null;
    if (/^[a-z][a-z0-9+.-]*:/i.test(found[3])) return found[3].replace(/^(https?:)\/+/i, '$1//');
    return 'http://' + found[3].replace(/^\/+/, '');
  }

  /** What a live page would have seen in place of an address that the browser tells. */
  function asSeen(url) {
    const text = String(url);
    const inner = unwrap(text);
    if (inner !== null) return normal(inner);
    return text.startsWith(HOME + '/') ? archivedOrigin() + text.slice(HOME.length) : text;
  }

  /** The archived address of this document or worker. */
  function hereUrl() {
    if (isBlank) return real.href;
    if (!document || withoutHash(real.href) === started.real) return withoutHash(started.url) + (document ? real.hash : '');
    const inner = unwrap(real.href);
    return inner === null ? started.url : normal(inner);
  }

  /** The address whose origin this document has. */
  function ownerUrl() {
    return isBlank ? started.url : hereUrl();
  }

  function archivedOrigin() {
    return new NativeURL(ownerUrl()).origin;
  }

  const nativeBaseUri = document && descriptorOf(self.Node.prototype, 'baseURI').get;

  function baseUrl() {
    if (!document) return started.url;
    const base = asSeen(nativeBaseUri.call(document));
    return /^https?:/.test(base) ? base : ownerUrl();
  }

  /** The address in the archive of whatever a script means by `url`. Other schemes and mere fragments stay. */
  function wrap(url, modifier, base) {
    const text = String(url).trim();
    if (text === '' || text[0] === '#') return url;
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text);
    if (scheme && !/^https?$/i.test(scheme[1])) return url;
    let full = unwrap(text);
    if (full === null) {
      try {
        full = new NativeURL(text, base || baseUrl()).href;
      } catch {
        return url;
      }
      if (!/^https?:/.test(full)) return url;
      full = asSeen(full);
    }
    return HOME + PREFIX + config.timestamp + modifier + '/' + full;
  }

  /** Whether markup that the server did not see, or a walk finds, must be led back. Relative addresses are right already. */
  function isAstray(url) {
    if (!/^\s*(?:https?:|\/)/i.test(url)) return false;
    const text = url.trim();
    if (MINE.test(text) || text.startsWith(PREFIX)) return false;
    return !/^\/-\/(?:shim|worker)\.js/.test(text.startsWith(HOME) ? text.slice(HOME.length) : text);
  }

  function unwrapText(text) {
    return typeof text === 'string' && text.includes(PREFIX) ? text.replace(MINE_ANYWHERE, '') : text;
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // Patching so that it does not show.

  const disguised = config.disguised || new WeakMap();

  function disguise(own, native) {
    disguised.set(own, nativeToString.call(native));
    for (const key of ['name', 'length']) defineProperty(own, key, { value: native[key], configurable: true });
    return own;
  }

  /** Replaces a method by what `make` makes of it. */
  function method(owner, name, make) {
    part(name, () => {
      const native = owner && owner[name];
      if (typeof native !== 'function') return;
      const old = descriptorOf(owner, name) || { writable: true, enumerable: true, configurable: true };
      defineProperty(owner, name, { ...old, value: disguise(make(native), native) });
    });
  }

  /** Replaces an accessor: `get` and `set` are given the browser's own and make the new one. */
  function accessor(owner, name, get, set) {
    part(name, () => {
      const old = owner && descriptorOf(owner, name);
      if (!old || !old.get || !old.configurable) return;
      const changed = { ...old };
      if (get) changed.get = disguise(get(old.get), old.get);
      if (set && old.set) changed.set = disguise(set(old.set), old.set);
      defineProperty(owner, name, changed);
    });
  }

  /** Replaces a class by one whose constructor has its arguments changed. */
  function constructor(name, change) {
    part(name, () => {
      const native = self[name];
      if (typeof native !== 'function') return;
      const own = new Proxy(native, {
        construct: (target, list, asked) => Reflect.construct(target, change(list), asked === own ? target : asked),
      });
      replaceClass(name, native, own);
    });
  }

  function replaceClass(name, native, own) {
    disguised.set(own, nativeToString.call(native));
    defineProperty(self, name, { value: own, writable: true, enumerable: false, configurable: true });
    part(name, () => defineProperty(native.prototype, 'constructor', { value: own, writable: true, configurable: true }));
  }

  function proto(name) {
    return typeof self[name] === 'function' ? self[name].prototype : undefined;
  }

  part('toString', () => {
    const own = {
      toString() {
        const text = disguised.get(this);
        return text === undefined ? nativeToString.call(this) : text;
      },
    }.toString;
    disguise(own, nativeToString);
    defineProperty(Function.prototype, 'toString', { value: own, writable: true, configurable: true });
  });

  // ---------------------------------------------------------------------------------------------------------------------
  // location. It cannot be patched; the server renames it in scripts, and this is what the new name means.

  function sameButHash(url) {
    return url.includes('#') && withoutHash(url) === withoutHash(hereUrl());
  }

  function go(url, isReplacing) {
    const text = String(url);
    if (/^\s*javascript:/i.test(text)) {
      real.href = text;
      return;
    }
    const full = new NativeURL(text, baseUrl()).href;
    const target = sameButHash(full) ? withoutHash(real.href) + full.slice(full.indexOf('#')) : wrap(full, LINK);
    if (isReplacing) real.replace(target);
    else real.assign(target);
  }

  const location = Object.create(Object.getPrototypeOf(real));

  part('location', () => {
    const LOCATION_PARTS = ['protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
    const read = (name) => (name === 'href' ? hereUrl() : new NativeURL(hereUrl())[name]);
    const own = (name, value) => defineProperty(location, name, { enumerable: true, configurable: false, ...value });
    own('href', { get: () => read('href'), set: (value) => go(value) });
    own('origin', { get: () => (isBlank ? 'null' : archivedOrigin()) });
    for (const name of LOCATION_PARTS) {
      const set = (value) => {
        if (name === 'hash') {
          real.hash = value;
          return;
        }
        const url = new NativeURL(hereUrl());
        url[name] = value;
        go(url.href);
      };
      own(name, { get: () => read(name), set });
    }
    const functions = {
      assign: (url) => go(url),
      replace: (url) => go(url, true),
      reload: () => real.reload(),
      toString: () => read('href'),
    };
    for (const name of Object.keys(functions)) {
      const native = real[name] || Object.prototype.toString;
      own(name, { value: disguise(functions[name], native), writable: false });
    }
    own('ancestorOrigins', {
      get() {
        const origins = [];
        for (let frame = self; frame !== frame.parent && frame.parent.__varve_state; frame = frame.parent) {
          origins.push(frame.parent.__varve_state.origin());
        }
        origins.item = (index) => origins[index] || null;
        origins.contains = (origin) => origins.includes(origin);
        return origins;
      },
    });
  });

  part('__varve_location', () => {
    const isOurs = (object) => object === self || (document !== undefined && object === document);
    const get = function () {
      if (isOurs(this)) return location;
      if (this === undefined || this === null) return location;
      const found = this.location;
      return found === real ? location : found;
    };
    const set = function (value) {
      if (this === undefined || this === null || isOurs(this)) go(value);
      else this.location = value;
    };
    defineProperty(Object.prototype, '__varve_location', { get, set, enumerable: false, configurable: false });
    defineProperty(self, '__varve_location', { get, set, enumerable: false, configurable: false });
    // The bare name in an `onclick` attribute means the window's, not one of the element that it stands in.
    for (const name of ['Element', 'Document']) {
      const hidden = self[name] && self[name].prototype[Symbol.unscopables];
      if (hidden) hidden.__varve_location = true;
    }
  });

  // ---------------------------------------------------------------------------------------------------------------------
  // Texts with addresses in them: style sheets, srcset, scripts, markup.

  const CSS_ADDRESS = /(@import\s+)(?:"([^"]*)"|'([^']*)')|url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]+))\s*\)/gi;

  function rewriteCss(css) {
    const text = String(css);
    if (!/url\(|@import/i.test(text)) return css;
    return text.replace(CSS_ADDRESS, (all, at, a, b, c, d, e) => {
      if (at) return at + '"' + wrap(a === undefined ? b : a, 'cs_') + '"';
      const url = [c, d, e].find((value) => value !== undefined);
      const wrapped = String(wrap(url, 'oe_'));
      return wrapped === url ? all : 'url("' + wrapped.replace(/["\\\n]/g, encodeURIComponent) + '")';
    });
  }

  function rewriteSrcset(text) {
    return String(text).replace(/([^\s,]\S*[^\s,]|[^\s,])(\s+[\d.]+[wxh])?(\s*(?:,|$))/g,
      (all, url, size, end) => wrap(url, 'im_') + (size || '') + end);
  }

  const SCRIPT_TOKEN = new RegExp([
    '\\/\\/[^\\n]*|\\/\\*[^]*?\\*\\/', // comments
    '"(?:[^"\\\\\\n]|\\\\[^])*"|\'(?:[^\'\\\\\\n]|\\\\[^])*\'|`(?:[^`\\\\]|\\\\[^])*`', // strings
    '[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*|\\d[\\w.]*', // names and numbers
    '\\s+|\\?\\.|=>|[^]',
  ].join('|'), 'gu');
  const SCRIPT_REGEX = /\/(?:[^\/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
  const BEFORE_REGEX = /^(?:[(,=:[!&|?{};+\-*%~^<>]|=>|return|typeof|case|in|of|do|else|void|delete|throw|new)$/;

  /** The renaming of `location`, for script text that only comes to be in the browser. The server's own is more thorough. */
  function rewriteScript(script) {
    const text = String(script);
    if (!text.includes('location')) return script;
    const tokens = [];
    SCRIPT_TOKEN.lastIndex = 0;
    let before = '(';
    for (let found; (found = SCRIPT_TOKEN.exec(text)); ) {
      let token = found[0];
      if (token === '/' && BEFORE_REGEX.test(before)) {
        SCRIPT_REGEX.lastIndex = found.index;
        const regex = SCRIPT_REGEX.exec(text);
        if (regex) {
          token = regex[0];
          SCRIPT_TOKEN.lastIndex = SCRIPT_REGEX.lastIndex;
        }
      }
      tokens.push(token);
      if (!/^\s|^\/[\/*]/.test(token)) before = token;
    }
    return renamed(tokens);
  }

  function renamed(tokens) {
    const isMeant = (token) => !/^\s|^\/[\/*]/.test(token);
    const neighbour = (index, step) => {
      for (let at = index + step; at >= 0 && at < tokens.length; at += step) if (isMeant(tokens[at])) return tokens[at];
      return '';
    };
    const open = [];
    return tokens.map((token, index) => {
      if (token === '(' || token === '[' || token === '{') open.push(token);
      else if (token === ')' || token === ']' || token === '}') open.pop();
      if (/^["']location["']$/.test(token) && neighbour(index, -1) === '[' && neighbour(index, 1) === ']') {
        return '"__varve_location"';
      }
      if (token !== 'location') return token;
      const [last, next] = [neighbour(index, -1), neighbour(index, 1)];
      if (last === '.' || last === '?.') return '__varve_location';
      const isInBraces = open[open.length - 1] === '{' && (last === '{' || last === ',');
      if (isInBraces && (next === ':' || next === '(')) return token;
      if (isInBraces && (next === '}' || next === ',')) return 'location: __varve_location';
      return '__varve_location';
    }).join('');
  }

  function linkModifier(of) {
    const rel = String(of('rel') || '').toLowerCase();
    const as = String(of('as') || '').toLowerCase();
    if (/\bstylesheet\b/.test(rel) || as === 'style') return 'cs_';
    if (/icon/.test(rel) || as === 'image') return 'im_';
    if (/modulepreload/.test(rel) || as === 'script') return 'js_';
    if (/preload|prefetch/.test(rel)) return as === 'fetch' ? DATA : 'oe_';
    return LINK;
  }

  const SRCSET = {};
  const IMAGE = { href: 'im_', 'xlink:href': 'im_' };
  // Which attributes of which elements are addresses, and of what.
  const ADDRESSES = {
    a: { href: LINK, 'xlink:href': LINK }, area: { href: LINK }, base: { href: LINK }, form: { action: LINK },
    button: { formaction: LINK }, input: { formaction: LINK, src: 'im_' }, link: { href: linkModifier, imagesrcset: SRCSET },
    img: { src: 'im_', srcset: SRCSET }, source: { src: 'oe_', srcset: SRCSET }, track: { src: 'oe_' },
    audio: { src: 'oe_' }, video: { src: 'oe_', poster: 'im_' }, embed: { src: 'oe_' }, object: { data: 'oe_' },
    iframe: { src: 'if_' }, frame: { src: 'if_' },
    script: { src: 'js_', href: 'js_', 'xlink:href': 'js_' }, body: { background: 'im_' }, table: { background: 'im_' },
    td: { background: 'im_' }, th: { background: 'im_' }, image: IMAGE, feimage: IMAGE, use: IMAGE,
  };

  function rulesOf(name) {
    return Object.prototype.hasOwnProperty.call(ADDRESSES, name) ? ADDRESSES[name] : undefined;
  }

  /** What an attribute becomes. `of` reads the element's other attributes. */
  function rewriteAttribute(element, name, value, of) {
    const rules = rulesOf(element);
    if (rules && Object.prototype.hasOwnProperty.call(rules, name)) {
      const rule = rules[name];
      if (rule === SRCSET) return rewriteSrcset(value);
      return wrap(value, typeof rule === 'function' ? rule(of) : rule);
    }
    if (name === 'style') return rewriteCss(value);
    if (name === 'srcdoc' && element === 'iframe') return frameMarkup(value);
    // The bytes are not those that the digest is of; and nobody is to be told of clicks.
    if (name === 'integrity' || name === 'ping') return '';
    if (name[0] === 'o' && name[1] === 'n') return rewriteScript(value);
    return value;
  }

  const MARKUP = /<(?:!--[^]*?(?:-->|$)|([a-z][^\s\/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>)/gi;
  const MARKUP_ATTRIBUTE = /([^\s"'<>\/=]+)(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;
  const MARKUP_NEEDS = /src|href|action|data|poster|background|style|integrity|http-equiv|<script|\son[a-z]+\s*=/i;
  const RAW_TEXT = /^(?:script|style|textarea|title|xmp)$/;
  const ENTITIES = { '&amp;': '&', '&quot;': '"', '&#34;': '"', '&#39;': "'", '&apos;': "'", '&lt;': '<', '&gt;': '>' };

  function decoded(text) {
    return text.replace(/&(?:amp|quot|apos|lt|gt|#34|#39);/g, (entity) => ENTITIES[entity]);
  }

  /** Markup before the browser parses it, so that it never asks for anything at the wrong place. */
  function rewriteMarkup(markup) {
    const text = String(markup);
    if (!text.includes('<') || !MARKUP_NEEDS.test(text)) return markup;
    const tags = new RegExp(MARKUP, 'gi');
    let out = '';
    let done = 0;
    for (let found; (found = tags.exec(text)); ) {
      if (found[1] === undefined) continue;
      const name = found[1].toLowerCase();
      const end = tags.lastIndex;
      const close = found[0].length - 1;
      out += text.slice(done, found.index + 1 + found[1].length) + rewriteTag(name, found[2]) + found[0].slice(close);
      done = end;
      if (!RAW_TEXT.test(name)) continue;
      const closing = new RegExp('</' + name, 'gi');
      closing.lastIndex = end;
      const stop = closing.exec(text);
      const inner = text.slice(end, stop ? stop.index : text.length);
      if (name === 'style') out += rewriteCss(inner);
      else out += name === 'script' && isScriptText(found[2]) ? rewriteScript(inner) : inner;
      done = end + inner.length;
      tags.lastIndex = done;
    }
    return out + text.slice(done);
  }

  function isScriptText(attributes) {
    const type = /\stype\s*=\s*["']?([^"'\s>]*)/i.exec(attributes);
    return !type || /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i.test(type[1]);
  }

  function rewriteTag(name, attributes) {
    if (!attributes.includes('=')) return attributes;
    const all = {};
    for (const found of attributes.matchAll(MARKUP_ATTRIBUTE)) all[found[1].toLowerCase()] = found[3] || found[4] || found[5];
    if (name === 'meta' && /^content-security-policy/i.test(all['http-equiv'] || '')) return '';
    return attributes.replace(MARKUP_ATTRIBUTE, (whole, key, equals, a, b, c) => {
      const value = [a, b, c].find((text) => text !== undefined);
      const plain = decoded(value);
      const changed = String(rewriteAttribute(name, key.toLowerCase(), plain, (other) => all[other]));
      if (changed === plain) return whole;
      return key + equals + '"' + changed.replace(/&/g, '&amp;').replace(/"/g, '&quot;') + '"';
    });
  }

  /** What a frame without an address of its own must know. */
  function childConfig() {
    const { prefix, timestamp, pages, pin } = config;
    return { prefix, timestamp, pages, pin, modifier: 'if_', url: baseUrl(), home: HOME };
  }

  function frameMarkup(markup) {
    const text = String(rewriteMarkup(markup));
    const json = JSON.stringify(childConfig()).replace(/</g, '\\u003c');
    const scripts = '<script>window.__varve=' + json + '</script><script src="' + HOME + '/-/shim.js"></script>';
    const start = /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>)?/i.exec(text)[0];
    return start + scripts + text.slice(start.length);
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // Asking: fetch, XMLHttpRequest and their like, here and in workers.

  function requestOptions(options) {
    if (!options || (!options.integrity && !options.referrer)) return options;
    const changed = Object.assign({}, options);
    delete changed.integrity;
    if (changed.referrer) changed.referrer = wrap(changed.referrer, LINK);
    return changed;
  }

  const NativeRequest = self.Request;
  method(self, 'fetch', (native) => function fetch(input, options) {
    const target = input instanceof NativeRequest ? input : wrap(input, DATA);
    return native.call(self, target, requestOptions(options));
  });
  constructor('Request', (list) => {
    const [input, ...rest] = list;
    if (rest.length) rest[0] = requestOptions(rest[0]);
    return list.length ? [input instanceof NativeRequest ? input : wrap(input, DATA), ...rest] : list;
  });
  const seen = (native) => function () {
    return asSeen(native.call(this));
  };
  accessor(proto('Request'), 'url', seen);
  accessor(proto('Request'), 'referrer', seen);
  accessor(proto('Response'), 'url', seen);
  method(proto('XMLHttpRequest'), 'open', (native) => function open(verb, url, ...rest) {
    return native.call(this, verb, wrap(url, DATA), ...rest);
  });
  accessor(proto('XMLHttpRequest'), 'responseURL', seen);
  method(proto('Navigator'), 'sendBeacon', () => () => true);
  method(self, 'importScripts', (native) => function importScripts(...urls) {
    return native.apply(self, urls.map((url) => wrap(url, 'js_')));
  });
  method(proto('Worklet'), 'addModule', (native) => function addModule(url, ...rest) {
    return native.call(this, wrap(url, 'js_'), ...rest);
  });

  part('EventSource', () => {
    const native = self.EventSource;
    if (!native) return;
    // What was recorded plays once; a source that began over and over would never let a page come to rest.
    const own = new Proxy(native, {
      construct(target, [url, ...rest], asked) {
        const source = Reflect.construct(target, [wrap(url, DATA), ...rest], asked === own ? target : asked);
        source.addEventListener('error', () => source.close());
        return source;
      },
    });
    replaceClass('EventSource', native, own);
    accessor(native.prototype, 'url', seen);
  });

  part('WebSocket', () => {
    const native = self.WebSocket;
    if (!native) return;
    const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
    // Nobody is there to talk to: as if the network were gone.
    class WebSocket extends self.EventTarget {
      constructor(url) {
        super();
        const target = new NativeURL(url, baseUrl());
        this.url = target.href.replace(/^http/, 'ws');
        this.readyState = STATES.CONNECTING;
        this.binaryType = 'blob';
        this.protocol = this.extensions = '';
        this.bufferedAmount = 0;
        this.onopen = this.onmessage = this.onerror = this.onclose = null;
        self.setTimeout(() => this.close(), 0);
      }
      send() {
        if (this.readyState === STATES.CONNECTING) throw new self.DOMException('Still connecting', 'InvalidStateError');
      }
      close() {
        if (this.readyState >= STATES.CLOSING) return;
        this.readyState = STATES.CLOSED;
        const ending = self.CloseEvent ? new self.CloseEvent('close', { code: 1006 }) : new self.Event('close');
        for (const event of [new self.Event('error'), ending]) {
          const handler = this['on' + event.type];
          if (typeof handler === 'function') this.addEventListener(event.type, handler, { once: true });
          self.queueMicrotask(() => this.dispatchEvent(event));
        }
      }
    }
    for (const name of Object.keys(STATES)) {
      for (const owner of [WebSocket, WebSocket.prototype]) defineProperty(owner, name, { value: STATES[name], enumerable: true });
    }
    disguised.set(WebSocket, nativeToString.call(native));
    defineProperty(self, 'WebSocket', { value: WebSocket, writable: true, configurable: true });
  });

  // Other ways to reach hosts outside that no policy of the server's covers.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'WebSocketStream', 'cookieStore']) {
    part(name, () => name in self && defineProperty(self, name, { value: undefined, writable: true, configurable: true }));
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // Workers are put together anew, with the shim before the script that was meant.

  part('Worker', () => {
    const shim = JSON.stringify(HOME + '/-/shim.js');
    // At once: many a page takes a blob's address back as soon as the worker is made.
    const textOf = (url) => {
      const request = new self.XMLHttpRequest();
      request.open('GET', url, false);
      request.send();
      return request.responseText;
    };
    const blobOf = (text) => NativeURL.createObjectURL(new self.Blob([text], { type: 'text/javascript' }));
    const setting = (url) => 'self.__varve=' + JSON.stringify({ ...childConfig(), url, modifier: 'sw_' }) + ';';
    const script = (url, options, isShared) => {
      const text = String(url);
      const isMade = /^(?:blob|data):/i.test(text);
      const isModule = Boolean(options) && options.type === 'module';
      // Shared workers are found again by their address, so theirs must be a lasting one: the server puts the shim before it.
      if (isShared && !isMade && !isModule) return wrap(text, 'sw_');
      const where = isMade ? baseUrl() : asSeen(new NativeURL(text, baseUrl()).href);
      const meant = JSON.stringify(wrap(text, 'js_'));
      if (!isModule) {
        const rest = isMade ? 'importScripts(' + shim + ');' + rewriteScript(textOf(text)) : 'importScripts(' + shim + ',' + meant + ');';
        return blobOf(setting(where) + rest);
      }
      // Imports run in order: first where we are, then the shim, then what was meant.
      const first = 'import ' + JSON.stringify(blobOf(setting(where))) + ';import ' + shim + ';';
      return blobOf(first + (isMade ? rewriteScript(textOf(text)) : 'import ' + meant + ';'));
    };
    for (const name of ['Worker', 'SharedWorker']) {
      constructor(name, (list) => {
        const options = typeof list[1] === 'string' ? { name: list[1] } : list[1];
        const rest = name === 'Worker' ? list.slice(1)
          : [{ ...options, name: archivedOrigin() + ' ' + ((options && options.name) || '') }];
        return [script(list[0], options, name === 'SharedWorker'), ...rest];
      });
    }
  });

  part('serviceWorker', () => {
    const container = proto('ServiceWorkerContainer');
    if (!container) return;
    const workers = self.navigator.serviceWorker;
    const register = container.register;
    const controller = descriptorOf(container, 'controller').get;
    // The archive's own worker. Without it, on a first visit, the page plays by what the server rewrote and by this shim.
    if (workers && document && !isBlank && !controller.call(workers)) {
      register.call(workers, HOME + '/-/worker.js', { scope: '/', updateViaCache: 'none' }).catch(() => {});
    }
    // A page's own is never installed, and ours is not shown to it.
    const pretended = (url, options) => Object.assign(new self.EventTarget(), {
      active: null, installing: null, waiting: null, onupdatefound: null, updateViaCache: 'imports',
      scope: new NativeURL((options && options.scope) || './', new NativeURL(url, baseUrl())).href,
      update: () => Promise.resolve(), unregister: () => Promise.resolve(true),
      getNotifications: () => Promise.resolve([]), showNotification: () => Promise.resolve(),
    });
    method(container, 'register', () => (url, options) => new Promise((done) => done(pretended(String(url), options))));
    method(container, 'getRegistration', () => () => Promise.resolve(undefined));
    method(container, 'getRegistrations', () => () => Promise.resolve([]));
    accessor(container, 'ready', () => () => new Promise(() => {}));
    accessor(container, 'controller', () => () => null);
  });

  // ---------------------------------------------------------------------------------------------------------------------
  // Keeping: every archived origin has storage of its own, told apart by what its names begin with.

  const ownName = (name) => 'varve ' + archivedOrigin() + ' ' + name;
  const bareName = (name) => (String(name).startsWith(ownName('')) ? String(name).slice(ownName('').length) : name);

  const areas = new WeakMap();
  let jarStorage = null;
  part('storage', () => {
    if (typeof self.Storage !== 'function') return;
    const natives = {};
    for (const name of ['getItem', 'setItem', 'removeItem', 'key']) natives[name] = self.Storage.prototype[name];
    const lengthOf = descriptorOf(self.Storage.prototype, 'length').get;
    const names = (area) => {
      const found = [];
      for (let index = 0; index < lengthOf.call(area); index += 1) {
        const name = natives.key.call(area, index);
        if (name.startsWith(ownName(''))) found.push(bareName(name));
      }
      return found;
    };
    const does = {
      getItem: (area, name) => natives.getItem.call(area, ownName(name)),
      setItem: (area, name, value) => natives.setItem.call(area, ownName(name), value),
      removeItem: (area, name) => natives.removeItem.call(area, ownName(name)),
      key: (area, index) => names(area)[index] ?? null,
      clear: (area) => names(area).forEach((name) => natives.removeItem.call(area, ownName(name))),
    };
    for (const name of Object.keys(does)) {
      method(self.Storage.prototype, name, (native) => function (...list) {
        const area = areas.get(this);
        return area ? does[name](area, ...list) : native.apply(this, list);
      });
    }
    accessor(self.Storage.prototype, 'length', (native) => function () {
      const area = areas.get(this);
      return area ? names(area).length : native.call(this);
    });
    const shown = (area) => {
      const own = new Proxy(Object.create(self.Storage.prototype), {
        get: (target, name) => {
          if (typeof name === 'symbol' || name in target) return Reflect.get(target, name, own);
          return does.getItem(area, name) ?? undefined;
        },
        set: (target, name, value) => (does.setItem(area, name, value), true),
        has: (target, name) => name in target || does.getItem(area, name) !== null,
        deleteProperty: (target, name) => (does.removeItem(area, name), true),
        ownKeys: () => names(area),
        getOwnPropertyDescriptor: (target, name) => {
          const value = typeof name === 'symbol' ? null : does.getItem(area, name);
          return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
        },
      });
      areas.set(own, area);
      return own;
    };
    for (const name of ['sessionStorage', 'localStorage']) {
      let own;
      accessor(self, name, (native) => function () {
        return (own = own || shown(native.call(self)));
      });
      part(name, () => self[name]);
    }
    part('jar', () => (jarStorage = areas.get(self.sessionStorage)));
    // Other origins' changes are nobody's business here.
    accessor(proto('StorageEvent'), 'key', (native) => function () {
      return bareName(native.call(this));
    });
    accessor(proto('StorageEvent'), 'url', seen);
    const keyOf = descriptorOf(self.StorageEvent.prototype, 'key').get;
    self.addEventListener('storage', (event) => {
      if (event.isTrusted && /^varve /.test(keyOf.call(event) || '')) event.stopImmediatePropagation();
    }, true);
  });

  const prefixed = (native) => function (name, ...rest) {
    return native.call(this, ownName(name), ...rest);
  };
  for (const name of ['open', 'deleteDatabase']) method(proto('IDBFactory'), name, prefixed);
  method(proto('IDBFactory'), 'databases', (native) => function databases() {
    const isOwn = (found) => found.name.startsWith(ownName(''));
    return native.call(this).then((all) => all.filter(isOwn).map((found) => ({ ...found, name: bareName(found.name) })));
  });
  accessor(proto('IDBDatabase'), 'name', (native) => function () {
    return bareName(native.call(this));
  });
  for (const name of ['open', 'has', 'delete']) method(proto('CacheStorage'), name, prefixed);
  method(proto('CacheStorage'), 'keys', (native) => function keys() {
    return native.call(this).then((all) => all.filter((name) => name.startsWith(ownName(''))).map(bareName));
  });
  method(proto('CacheStorage'), 'match', () => async function match(request, options) {
    for (const name of await this.keys()) {
      const found = await (await this.open(name)).match(request, options);
      if (found) return found;
    }
    return undefined;
  });
  const cached = (native) => function (request, ...rest) {
    const one = (value) => (value instanceof NativeRequest ? value : wrap(value, DATA));
    return native.call(this, Array.isArray(request) ? request.map(one) : request === undefined ? request : one(request), ...rest);
  };
  for (const name of ['add', 'addAll', 'put', 'match', 'matchAll', 'delete', 'keys']) method(proto('Cache'), name, cached);
  constructor('BroadcastChannel', ([name]) => [ownName(name)]);
  accessor(proto('BroadcastChannel'), 'name', (native) => function () {
    return bareName(native.call(this));
  });
  method(proto('StorageManager'), 'getDirectory', (native) => async function getDirectory() {
    const root = await native.call(this);
    return root.getDirectoryHandle(encodeURIComponent(ownName('')), { create: true });
  });

  // ---------------------------------------------------------------------------------------------------------------------
  // Time and chance, if they are to be as on the day of the capture. Time starts there and then goes on.

  if (config.pin) {
    part('pin', () => {
      const stamp = config.timestamp.padEnd(14, '0').match(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/).slice(1).map(Number);
      const then = Date.UTC(stamp[0], stamp[1] - 1, ...stamp.slice(2));
      const NativeDate = self.Date;
      const nativeNow = NativeDate.now;
      const offset = then - nativeNow();
      const now = disguise(() => nativeNow() + offset, nativeNow);
      const own = new Proxy(NativeDate, {
        construct: (target, list, asked) =>
          Reflect.construct(target, list.length ? list : [now()], asked === own ? target : asked),
        apply: () => new NativeDate(now()).toString(),
      });
      defineProperty(NativeDate, 'now', { value: now, writable: true, configurable: true });
      replaceClass('Date', NativeDate, own);
      // mulberry32, a small generator in the public domain, from the time and place of the capture.
      let dice = [...(config.timestamp + started.url)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
      method(Math, 'random', () => () => {
        dice = (dice + 0x6d2b79f5) | 0;
        let value = Math.imul(dice ^ (dice >>> 15), 1 | dice);
        value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
        return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
      });
    });
  }

  accessor(proto('PerformanceEntry'), 'name', (native) => function () {
    return asSeen(native.call(this));
  });
  method(proto('Performance'), 'getEntriesByName', () => function getEntriesByName(name, type) {
    return this.getEntries().filter((entry) => entry.name === name && (type === undefined || entry.entryType === type));
  });
  for (const name of ['setTimeout', 'setInterval']) {
    method(self, name, (native) => function (work, ...rest) {
      return native.call(self, typeof work === 'string' ? rewriteScript(work) : work, ...rest);
    });
  }
  accessor('origin' in (proto('WorkerGlobalScope') || {}) ? proto('WorkerGlobalScope') : self, 'origin', () => archivedOrigin);

  const state = {
    moved(next) {
      Object.assign(config, next);
      document = self.document;
      isBlank = /^about:/.test(real.href);
      part('watch', () => state.watch());
      started = { real: withoutHash(real.href), url: normal(next.url) };
      part('scripts', removeOwnScripts);
    },
    origin: archivedOrigin,
    owns: () => false,
    send: () => {},
    watch: () => {},
    faults,
  };
  defineProperty(self, '__varve_state', { value: state, enumerable: false });

  function removeOwnScripts() {
    const script = document && document.currentScript;
    if (!script || !/\/-\/shim\.js$/.test(script.src)) return;
    const before = script.previousElementSibling;
    if (before && before.localName === 'script' && /__varve\s*=/.test(before.textContent)) before.remove();
    script.remove();
  }

  if (!document) return;

  // ---------------------------------------------------------------------------------------------------------------------
  // From here on: windows.

  part('scripts', removeOwnScripts);

  const nativeAttribute = self.Element.prototype.getAttribute;
  const nativeSetAttribute = self.Element.prototype.setAttribute;

  // What the document is called, and what it came from.
  accessor(proto('Document'), 'URL', () => hereUrl);
  accessor(proto('Document'), 'documentURI', () => hereUrl);
  accessor(proto('Node'), 'baseURI', (native) => function () {
    return asSeen(native.call(this));
  });
  accessor(proto('Document'), 'referrer', (native) => function () {
    const inner = unwrap(native.call(this));
    return inner === null ? '' : normal(inner);
  });
  part('domain', () => {
    let domain = null;
    accessor(proto('Document'), 'domain',
      () => () => domain ?? new NativeURL(ownerUrl()).hostname,
      () => (value) => {
        const host = new NativeURL(ownerUrl()).hostname;
        const wanted = String(value).toLowerCase();
        if (host !== wanted && !host.endsWith('.' + wanted)) throw new self.DOMException('Not a suffix', 'SecurityError');
        domain = wanted;
      });
  });

  // Cookies are kept in a jar of ours, as long as the tab lives. The browser's own are neither read nor written.
  part('cookie', () => {
    const KEY = 'varve cookies';
    const COOKIES_MAX = 600;
    const { getItem, setItem } = self.Storage.prototype;
    let memory = [];
    const jar = () => {
      try {
        return JSON.parse(getItem.call(jarStorage, KEY)) || [];
      } catch {
        return memory;
      }
    };
    const keep = (cookies) => {
      memory = cookies.slice(-COOKIES_MAX);
      try {
        setItem.call(jarStorage, KEY, JSON.stringify(memory));
      } catch {
        // Without storage the jar lasts as long as the page.
      }
    };
    const here = () => new NativeURL(ownerUrl());
    const isFor = (cookie, url) =>
      (cookie.host === url.hostname || (cookie.isShared && url.hostname.endsWith('.' + cookie.host))) &&
      (url.pathname === cookie.path || url.pathname.startsWith(cookie.path.replace(/\/?$/, '/'))) &&
      (!cookie.isSecure || url.protocol === 'https:') && (cookie.until === null || cookie.until > Date.now());
    const read = () => jar().filter((cookie) => isFor(cookie, here()))
      .sort((a, b) => b.path.length - a.path.length)
      .map((cookie) => (cookie.name ? cookie.name + '=' + cookie.value : cookie.value)).join('; ');
    const write = (text) => {
      const [pair, ...fields] = String(text).split(';').map((field) => field.trim());
      if (pair.length > 4096) return;
      const equals = pair.indexOf('=');
      const url = here();
      const cookie = {
        name: equals < 0 ? '' : pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim(),
        host: url.hostname, isShared: false, isSecure: false, until: null,
        path: url.pathname.replace(/\/[^/]*$/, '') || '/',
      };
      for (const field of fields) {
        const [key, value = ''] = field.split(/=(.*)/s).map((side) => side.trim());
        const name = key.toLowerCase();
        if (name === 'httponly') return;
        if (name === 'secure') cookie.isSecure = true;
        if (name === 'path' && value[0] === '/') cookie.path = value;
        if (name === 'expires' && cookie.until === null && !Number.isNaN(Date.parse(value))) cookie.until = Date.parse(value);
        if (name === 'max-age' && /^-?\d+$/.test(value)) cookie.until = Date.now() + Number(value) * 1000;
        if (name === 'domain' && value) {
          const domain = value.replace(/^\./, '').toLowerCase();
          if (domain !== url.hostname && !(domain.includes('.') && url.hostname.endsWith('.' + domain))) return;
          Object.assign(cookie, { host: domain, isShared: true });
        }
      }
      const isOther = (old) => old.name !== cookie.name || old.host !== cookie.host || old.path !== cookie.path;
      const others = jar().filter(isOther);
      keep(cookie.until !== null && cookie.until <= Date.now() ? others : [...others, cookie]);
    };
    // The storage's own methods were replaced for pages; the jar lies beside them, under a name that no page can say.
    accessor(proto('Document'), 'cookie', () => read, () => write);
  });

  // History: a page may move within its own origin only, as it could when it was alive.
  for (const name of ['pushState', 'replaceState']) {
    method(proto('History'), name, (native) => function (data, title, url) {
      if (url === undefined || url === null) return native.call(this, data, title);
      const full = new NativeURL(String(url), baseUrl());
      const inner = new NativeURL(asSeen(full.href));
      if (inner.origin !== archivedOrigin()) throw new self.DOMException('Another origin: ' + inner.origin, 'SecurityError');
      return native.call(this, data, title, isBlank ? undefined : wrap(inner.href, LINK));
    });
  }
  method(self, 'open', (native) => function open(url, ...rest) {
    const opened = native.call(self, url === undefined || url === '' ? url : wrap(url, LINK), ...rest);
    adopt(opened);
    return opened;
  });

  // ---------------------------------------------------------------------------------------------------------------------
  // Messages between windows. Really all are of one origin; to the page each is of its archived one. A window's own
  // `postMessage` does not know who calls it, so the stack tells; the browser then takes the caller for the source.

  part('postMessage', () => {
    const native = self.postMessage;
    const nativeSrc = descriptorOf(self.HTMLScriptElement.prototype, 'src').get;
    const nativeEntries = self.Performance.prototype.getEntriesByType;
    state.send = (target, post, list) => Reflect.apply(post, target, list);
    state.owns = (url) => withoutHash(real.href) === url
      || Array.prototype.some.call(document.scripts, (script) => nativeSrc.call(script) === url)
      || nativeEntries.call(self.performance, 'resource').some((entry) => entry.name === asSeen(url) && !/frame/.test(entry.initiatorType));
    const family = (root, found) => {
      if (!found.includes(root) && found.length < 100) {
        found.push(root);
        for (let index = 0; index < root.length; index += 1) part('family', () => family(root[index], found));
      }
      return found;
    };
    const callerOf = (stack) => {
      const urls = (stack.match(/https?:\/\/[^\s()]+?(?=:\d+:\d+)/g) || []).filter((url) => !url.endsWith('/-/shim.js'));
      if (!urls.length) return self;
      const windows = family(self.top, []);
      if (self.opener) part('opener', () => family(self.opener.top, windows));
      const owners = windows.filter((one) => {
        try {
          return one.__varve_state.owns(withoutHash(urls[0]));
        } catch {
          return false;
        }
      });
      return owners.find((one) => one !== self) && !owners.includes(self) ? owners[0]
        : owners.find((one) => one === self.parent) || owners.find((one) => one.parent === self) || self;
    };
    method(self, 'postMessage', () => function postMessage(message, target, transfer) {
      const isObject = typeof target === 'object' && target !== null;
      const wanted = isObject ? target.targetOrigin : target;
      const caller = callerOf(String(new Error().stack));
      const from = caller.__varve_state || state;
      if (wanted !== undefined && wanted !== '*') {
        const origin = wanted === '/' ? from.origin() : new NativeURL(wanted).origin;
        if (origin !== archivedOrigin() && origin !== HOME) return;
      }
      from.send(self, native, [message, '*', isObject ? target.transfer || [] : transfer || []]);
    });
    const nativeSource = descriptorOf(self.MessageEvent.prototype, 'source').get;
    accessor(self.MessageEvent.prototype, 'origin', (get) => function () {
      const origin = get.call(this);
      if (origin !== HOME) return origin;
      const source = nativeSource.call(this);
      try {
        return source.__varve_state.origin();
      } catch {
        return archivedOrigin();
      }
    });
  });

  // ---------------------------------------------------------------------------------------------------------------------
  // Elements: setters lead into the archive, getters tell the archived address.

  // What a script wrote into an attribute, so that it reads the same again.
  const written = new WeakMap();

  function changedAttribute(element, name, value) {
    const text = String(value);
    const changed = String(rewriteAttribute(element.localName, name, text, (other) => nativeAttribute.call(element, other)));
    if (changed === text) return text;
    if (!written.has(element)) written.set(element, {});
    written.get(element)[name] = { text, changed };
    return changed;
  }

  function seenAttribute(element, name, value) {
    if (value === null) return value;
    const kept = written.get(element) && written.get(element)[name];
    return kept && kept.changed === value ? kept.text : unwrapText(value);
  }

  const isSpecial = (element, name) =>
    name === 'style' || name === 'srcdoc' || name === 'integrity' || name === 'ping' || name.startsWith('on')
    || (rulesOf(element.localName) !== undefined && name in rulesOf(element.localName));

  const ELEMENT_PROPERTIES = {
    HTMLAnchorElement: ['href'], HTMLAreaElement: ['href'], HTMLBaseElement: ['href'], HTMLLinkElement: ['href'],
    HTMLFormElement: ['action'], HTMLButtonElement: ['formAction'], HTMLInputElement: ['formAction', 'src'],
    HTMLImageElement: ['src', 'srcset', 'currentSrc'], HTMLSourceElement: ['src', 'srcset'], HTMLTrackElement: ['src'],
    HTMLMediaElement: ['src', 'currentSrc'], HTMLVideoElement: ['poster'], HTMLEmbedElement: ['src'],
    HTMLObjectElement: ['data'], HTMLIFrameElement: ['src', 'srcdoc'], HTMLFrameElement: ['src'],
    HTMLScriptElement: ['src', 'integrity'], HTMLBodyElement: ['background'], StyleSheet: ['href'],
  };
  part('integrity of links', () => ELEMENT_PROPERTIES.HTMLLinkElement.push('integrity', 'imageSrcset'));
  for (const type of Object.keys(ELEMENT_PROPERTIES)) {
    for (const property of ELEMENT_PROPERTIES[type]) {
      const name = property.toLowerCase();
      const isText = /srcset|srcdoc|integrity|background/.test(name);
      accessor(proto(type), property, (native) => function () {
        const value = native.call(this);
        if (isText) return seenAttribute(this, name, value);
        return value === null || value === '' ? value : asSeen(value);
      }, (native) => function (value) {
        native.call(this, changedAttribute(this, name, value));
      });
    }
  }
  for (const type of ['HTMLAnchorElement', 'HTMLAreaElement']) {
    part(type, () => {
      const owner = self[type].prototype;
      const href = descriptorOf(owner, 'href');
      for (const name of ['protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'origin', 'username', 'password']) {
        accessor(owner, name, (native) => function () {
          const url = href.get.call(this);
          return /^https?:/.test(url) ? new NativeURL(url)[name] : native.call(this);
        }, (native) => function (value) {
          const url = href.get.call(this);
          if (!/^https?:/.test(url)) return native.call(this, value);
          const changed = new NativeURL(url);
          changed[name] = value;
          return href.set.call(this, changed.href);
        });
      }
      method(owner, 'toString', () => function toString() {
        return href.get.call(this);
      });
    });
  }

  const lower = (name) => String(name).toLowerCase();
  const Element = proto('Element');
  method(Element, 'setAttribute', (native) => function setAttribute(name, value) {
    native.call(this, name, isSpecial(this, lower(name)) ? changedAttribute(this, lower(name), value) : value);
  });
  method(Element, 'setAttributeNS', (native) => function setAttributeNS(space, name, value) {
    native.call(this, space, name, isSpecial(this, lower(name)) ? changedAttribute(this, lower(name), value) : value);
  });
  method(Element, 'getAttribute', (native) => function getAttribute(name) {
    return seenAttribute(this, lower(name), native.call(this, name));
  });
  method(Element, 'getAttributeNS', (native) => function getAttributeNS(space, name) {
    return seenAttribute(this, lower(name), native.call(this, space, name));
  });
  accessor(proto('Attr'), 'value', (native) => function () {
    const value = native.call(this);
    return this.ownerElement ? seenAttribute(this.ownerElement, this.name, value) : unwrapText(value);
  }, (native) => function (value) {
    const element = this.ownerElement;
    native.call(this, element && isSpecial(element, this.name) ? changedAttribute(element, this.name, value) : value);
  });
  accessor(proto('SVGAnimatedString'), 'baseVal', (native) => function () {
    return unwrapText(native.call(this));
  });
  constructor('Audio', (list) => (list.length && list[0] !== undefined ? [wrap(list[0], 'oe_')] : list));
  constructor('FontFace', ([family, source, ...rest]) => [family, typeof source === 'string' ? rewriteCss(source) : source, ...rest]);

  // Style sheets and declarations. `element.style.background = …` cannot be caught as it is set; the watch below sees it.
  for (const name of ['insertRule', 'replace', 'replaceSync']) {
    method(proto('CSSStyleSheet'), name, (native) => function (css, ...rest) {
      return native.call(this, rewriteCss(css), ...rest);
    });
  }
  method(proto('CSSGroupingRule'), 'insertRule', (native) => function insertRule(css, ...rest) {
    return native.call(this, rewriteCss(css), ...rest);
  });
  method(proto('CSSStyleDeclaration'), 'setProperty', (native) => function setProperty(name, value, ...rest) {
    return native.call(this, name, rewriteCss(value), ...rest);
  });
  accessor(proto('CSSStyleDeclaration'), 'cssText', (native) => function () {
    return unwrapText(native.call(this));
  }, (native) => function (css) {
    native.call(this, rewriteCss(css));
  });

  // Markup from scripts.
  const marked = (native) => function (markup) {
    native.call(this, isRawText(this) ? rawText(this, markup) : markup === null ? markup : rewriteMarkup(markup));
  };
  const unmarked = (native) => function () {
    return unwrapText(native.call(this));
  };
  accessor(Element, 'innerHTML', unmarked, marked);
  accessor(Element, 'outerHTML', unmarked, marked);
  accessor(proto('ShadowRoot'), 'innerHTML', unmarked, marked);
  method(Element, 'insertAdjacentHTML', (native) => function insertAdjacentHTML(where, markup) {
    return native.call(this, where, rewriteMarkup(markup));
  });
  for (const owner of [Element, proto('ShadowRoot')]) {
    method(owner, 'setHTMLUnsafe', (native) => function setHTMLUnsafe(markup, ...rest) {
      return native.call(this, rewriteMarkup(markup), ...rest);
    });
  }
  method(proto('Range'), 'createContextualFragment', (native) => function createContextualFragment(markup) {
    return native.call(this, rewriteMarkup(markup));
  });
  method(proto('DOMParser'), 'parseFromString', (native) => function parseFromString(text, type) {
    return native.call(this, type === 'text/html' ? rewriteMarkup(text) : text, type);
  });
  method(proto('XMLSerializer'), 'serializeToString', (native) => function serializeToString(node) {
    return unwrapText(native.call(this, node));
  });
  for (const name of ['write', 'writeln']) {
    method(proto('Document'), name, (native) => function (...texts) {
      return native.call(this, rewriteMarkup(texts.join('')));
    });
  }

  // Text of scripts and style sheets that scripts make.
  const isRawText = (node) => node.localName === 'style' || node.localName === 'script';
  const rawText = (element, text) => (element.localName === 'style' ? rewriteCss(text) : rewriteScript(text));
  for (const [owner, name] of [[proto('Node'), 'textContent'], [proto('HTMLElement'), 'innerText'], [proto('HTMLScriptElement'), 'text']]) {
    accessor(owner, name, null, (native) => function (text) {
      native.call(this, this.nodeType === 1 && isRawText(this) && text !== null ? rawText(this, text) : text);
    });
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // Frames without an address of their own, and whatever else comes into the document.

  function adopt(frame) {
    try {
      if (!frame || frame === self || frame.__varve_state || !/^(?:about:|$)/.test(frame.location.href)) return;
      const shim = frame.Function('return ' + SOURCE)();
      shim(frame, { ...childConfig(), disguised });
    } catch {
      // Of another origin after all: then it is none of ours to lead.
    }
  }

  const nativeWindow = descriptorOf(self.HTMLIFrameElement.prototype, 'contentWindow').get;
  for (const type of ['HTMLIFrameElement', 'HTMLFrameElement', 'HTMLObjectElement']) {
    for (const name of ['contentWindow', 'contentDocument']) {
      accessor(proto(type), name, (native) => function () {
        const found = native.call(this);
        if (found) adopt(name === 'contentWindow' ? found : found.defaultView);
        return found;
      });
    }
  }

  function beforeEntering(node) {
    if (!node) return;
    if (node.nodeType === 3 && node.parentNode === null) return;
    if (node.localName === 'script' && !node.isConnected && nativeAttribute.call(node, 'src') === null) {
      const text = node.text;
      const changed = rewriteScript(text);
      if (changed !== text && node.childNodes.length) node.textContent = changed;
    }
  }

  function afterEntering(node) {
    if (!node || !node.isConnected) return;
    if (node.nodeType === 3) {
      const parent = node.parentNode;
      if (parent && parent.localName === 'style') {
        const changed = rewriteCss(node.data);
        if (changed !== node.data && astrayCss(node.data)) node.data = changed;
      }
      return;
    }
    if (node.nodeType !== 1) return;
    if (node.localName === 'iframe') adopt(nativeWindow.call(node));
    else if (node.firstElementChild) {
      for (const frame of node.getElementsByTagName('iframe')) adopt(nativeWindow.call(frame));
    }
  }

  const entering = (count) => (native) => function (...list) {
    const nodes = count ? list.slice(0, count) : list;
    const moved = nodes.flatMap((node) => (node && node.nodeType === 11 ? [...node.childNodes] : [node]));
    moved.forEach(beforeEntering);
    const result = native.apply(this, list);
    moved.forEach(afterEntering);
    return result;
  };
  for (const name of ['appendChild', 'insertBefore', 'replaceChild']) method(proto('Node'), name, entering(1));
  for (const type of ['Element', 'Document', 'DocumentFragment', 'CharacterData']) {
    for (const name of ['append', 'prepend', 'before', 'after', 'replaceWith', 'replaceChildren']) {
      if (proto(type) && descriptorOf(proto(type), name)) method(proto(type), name, entering(0));
    }
  }
  method(Element, 'insertAdjacentElement', (native) => function insertAdjacentElement(where, element) {
    beforeEntering(element);
    const result = native.call(this, where, element);
    afterEntering(element);
    return result;
  });

  const astrayCss = (css) => [...css.matchAll(CSS_ADDRESS)].some((found) => isAstray(found.slice(2).find(Boolean) || ''));

  /** Leads an element back that came past everything above. */
  function mend(element) {
    const rules = rulesOf(element.localName);
    const of = (name) => nativeAttribute.call(element, name);
    for (const name in rules) {
      const value = of(name);
      if (value === null) continue;
      const isWrong = rules[name] === SRCSET ? value.split(',').some(isAstray) : isAstray(value);
      if (isWrong) nativeSetAttribute.call(element, name, changedAttribute(element, name, value));
    }
    mendStyle(element);
    if (element.localName === 'style' && astrayCss(element.textContent)) element.textContent = rewriteCss(element.textContent);
    if (element.localName === 'meta' && /^content-security-policy/i.test(of('http-equiv') || '')) element.remove();
  }

  function mendStyle(element) {
    const style = nativeAttribute.call(element, 'style');
    if (style !== null && style.includes('url(') && astrayCss(style)) nativeSetAttribute.call(element, 'style', rewriteCss(style));
  }

  part('watch', () => {
    const NEEDY = Object.keys(ADDRESSES).join(',') + ',style,meta,[style]';
    const watch = new self.MutationObserver((records) => {
      for (const record of records) {
        if (record.type === 'attributes') {
          mendStyle(record.target);
          continue;
        }
        for (const node of record.addedNodes) {
          if (node.nodeType !== 1 || node.localName === 'varve-banner') continue;
          mend(node);
          if (node.firstElementChild) node.querySelectorAll(NEEDY).forEach(mend);
          if (node.localName === 'iframe') adopt(nativeWindow.call(node));
        }
      }
    });
    const what = { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] };
    state.watch = () => watch.observe(document, what);
    state.watch();
    method(Element, 'attachShadow', (native) => function attachShadow(options) {
      const root = native.call(this, options);
      if (this.localName !== 'varve-banner') watch.observe(root, what);
      return root;
    });
  });

  // The last net for scripts whose `location` nobody renamed: no navigation leaves the archive, but by the banner.
  part('navigation', () => {
    if (!self.navigation) return;
    let isFromBanner = false;
    self.addEventListener('click', (event) => {
      isFromBanner = event.isTrusted && Boolean(event.target) && event.target.localName === 'varve-banner';
    }, true);
    self.navigation.addEventListener('navigate', (event) => {
      const url = event.destination.url;
      if (!/^https?:/.test(url) || unwrap(url) !== null || isFromBanner || !event.cancelable) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      self.queueMicrotask(() => real.assign(wrap(url, LINK)));
    });
  });
})(self);
