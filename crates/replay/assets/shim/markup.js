  // Markup that scripts make: which attributes hold addresses, and how a tag is rewritten before the browser parses it.
  // It patches nothing.

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
    return apply(Object.prototype.hasOwnProperty, ADDRESSES, [name]) ? ADDRESSES[name] : undefined;
  }

  // Rules by which browsers load pages ahead know nothing of the archive.
  const RULES = 'x-archive-orig-speculationrules';
  const isRules = (type) => /^\s*speculationrules\s*$/i.test(type);

  const TOP_NAVIGATION = 'allow-top-navigation';
  const nativeLowerCase = String.prototype.toLowerCase;
  const lower = (name) => apply(nativeLowerCase, '' + name, []);

  /** The permissions of a frame without any to navigate the whole window. It uses nothing that a script can replace. */
  function withoutTopNavigation(value) {
    const text = value + ' ';
    let kept = '';
    let word = '';
    let isChanged = false;
    for (let at = 0; at < text.length; at += 1) {
      const letter = text[at];
      if (letter !== ' ' && letter !== '\t' && letter !== '\n' && letter !== '\r' && letter !== '\f') {
        word += letter;
        continue;
      }
      if (startsWith(lower(word), TOP_NAVIGATION)) isChanged = true;
      else if (word !== '') kept += (kept === '' ? '' : ' ') + word;
      word = '';
    }
    return isChanged ? kept : '' + value;
  }

  /** What an attribute becomes. `of` reads the element's other attributes. */
  function rewriteAttribute(element, name, value, of) {
    if (name === 'sandbox' && element === 'iframe') return withoutTopNavigation(value);
    const rules = rulesOf(element);
    if (rules && apply(Object.prototype.hasOwnProperty, rules, [name])) {
      const rule = rules[name];
      if (rule === SRCSET) return rewriteSrcset(value);
      return wrap(value, typeof rule === 'function' ? rule(of) : rule);
    }
    if (name === 'style') return rewriteCss(value);
    if (name === 'srcdoc' && element === 'iframe') return frameMarkup(value);
    // The bytes are not those that the digest is of; and nobody is to be told of clicks.
    if (name === 'integrity' || name === 'ping') return '';
    if (name === 'type' && element === 'script') return isRules(value) ? RULES : value;
    if (name[0] === 'o' && name[1] === 'n') return rewriteScript(value);
    return value;
  }

  const MARKUP = /<(?:!--[^]*?(?:-->|$)|([a-z][^\s\/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>)/gi;
  const MARKUP_ATTRIBUTE = /([^\s"'<>\/=]+)(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;
  const MARKUP_NEEDS = /src|href|sandbox|action|data|poster|background|style|integrity|http-equiv|<script|\son[a-z]+\s*=/i;
  const RAW_TEXT = /^(?:script|style|textarea|title|xmp)$/;
  const ENTITIES = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

  function decoded(text) {
    return text.replace(/&(?:(amp|quot|apos|lt|gt);|#(\d+);?|#x([\da-f]+);?)/gi, (all, name, decimal, hex) => {
      const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
      return name ? ENTITIES[name.toLowerCase()] : String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
    });
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
    let { url } = started;
    part('base', () => { url = baseUrl(); });
    return { prefix, timestamp, pages, pin, modifier: 'if_', url, home: HOME };
  }

  function frameMarkup(markup) {
    const text = String(rewriteMarkup(markup));
    const json = JSON.stringify(childConfig()).replace(/</g, '\\u003c');
    const scripts = '<script>window.__varve=' + json + '</script><script src="' + HOME + '/-/shim.js"></script>';
    const start = /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>)?/i.exec(text)[0];
    return start + scripts + text.slice(start.length);
  }
