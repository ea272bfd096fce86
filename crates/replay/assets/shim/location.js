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
