  // `history` and `window.open`: a page may move within its own origin only, as it could when it was alive.
  for (const name of ['pushState', 'replaceState']) {
    method(proto('History'), name, (native) => function (data, title, url) {
      if (url === undefined || url === null) return apply(native, this, [data, title]);
      const full = new NativeURL(String(url), baseUrl());
      const inner = new NativeURL(asSeen(full.href));
      if (inner.origin !== archivedOrigin()) throw new self.DOMException('Another origin: ' + inner.origin, 'SecurityError');
      return apply(native, this, [data, title, isBlank ? undefined : wrap(inner.href, LINK)]);
    });
  }
  method(self, 'open', (native) => function open(url, ...rest) {
    const opened = apply(native, self, [url === undefined || url === '' ? url : wrap(url, LINK), ...rest]);
    adopt(opened);
    return opened;
  });
