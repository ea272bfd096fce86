  // Addresses: where we are, really and as the page sees it; how an archived address is wrapped into one of the replay
  // server, and how it is got out again. It patches nothing; everything else asks here.

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
    const base = asSeen(apply(nativeBaseUri, document, []));
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
