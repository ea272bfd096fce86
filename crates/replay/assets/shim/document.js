  // `document`: what it is called, what it came from, and its domain.

  part('scripts', removeOwnScripts);

  const nativeAttribute = self.Element.prototype.getAttribute;
  const nativeSetAttribute = self.Element.prototype.setAttribute;

  accessor(proto('Document'), 'URL', () => hereUrl);
  accessor(proto('Document'), 'documentURI', () => hereUrl);
  accessor(proto('Node'), 'baseURI', (native) => function () {
    return asSeen(apply(native, this, []));
  });
  accessor(proto('Document'), 'referrer', (native) => function () {
    const inner = unwrap(apply(native, this, []));
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
