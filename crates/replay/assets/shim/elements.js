  // Elements: the properties and attributes that are addresses. Setters lead into the archive, getters tell the archived
  // address.

  // What a script wrote into an attribute, so that it reads the same again.
  const written = new WeakMap();

  function changedAttribute(element, name, value) {
    const text = String(value);
    const changed = String(rewriteAttribute(element.localName, name, text, (other) => apply(nativeAttribute, element, [other])));
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
    || (name === 'type' && element.localName === 'script')
    || (rulesOf(element.localName) !== undefined && name in rulesOf(element.localName));

  const ELEMENT_PROPERTIES = {
    HTMLAnchorElement: ['href'], HTMLAreaElement: ['href'], HTMLBaseElement: ['href'], HTMLLinkElement: ['href'],
    HTMLFormElement: ['action'], HTMLButtonElement: ['formAction'], HTMLInputElement: ['formAction', 'src'],
    HTMLImageElement: ['src', 'srcset', 'currentSrc'], HTMLSourceElement: ['src', 'srcset'], HTMLTrackElement: ['src'],
    HTMLMediaElement: ['src', 'currentSrc'], HTMLVideoElement: ['poster'], HTMLEmbedElement: ['src'],
    HTMLObjectElement: ['data'], HTMLIFrameElement: ['src', 'srcdoc'], HTMLFrameElement: ['src'],
    HTMLScriptElement: ['src', 'integrity', 'type'], HTMLBodyElement: ['background'], StyleSheet: ['href'],
  };
  part('integrity of links', () => ELEMENT_PROPERTIES.HTMLLinkElement.push('integrity', 'imageSrcset'));
  for (const type of Object.keys(ELEMENT_PROPERTIES)) {
    for (const property of ELEMENT_PROPERTIES[type]) {
      const name = property.toLowerCase();
      const isText = /srcset|srcdoc|integrity|background|type/.test(name);
      accessor(proto(type), property, (native) => function () {
        const value = apply(native, this, []);
        if (isText) return seenAttribute(this, name, value);
        return value === null || value === '' ? value : asSeen(value);
      }, (native) => function (value) {
        apply(native, this, [changedAttribute(this, name, value)]);
      });
    }
  }
  for (const type of ['HTMLAnchorElement', 'HTMLAreaElement']) {
    part(type, () => {
      const owner = self[type].prototype;
      const href = descriptorOf(owner, 'href');
      for (const name of ['protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'origin', 'username', 'password']) {
        accessor(owner, name, (native) => function () {
          const url = apply(href.get, this, []);
          return /^https?:/.test(url) ? new NativeURL(url)[name] : apply(native, this, []);
        }, (native) => function (value) {
          const url = apply(href.get, this, []);
          if (!/^https?:/.test(url)) return apply(native, this, [value]);
          const changed = new NativeURL(url);
          changed[name] = value;
          return apply(href.set, this, [changed.href]);
        });
      }
      method(owner, 'toString', () => function toString() {
        return apply(href.get, this, []);
      });
    });
  }

  const lower = (name) => String(name).toLowerCase();
  const Element = proto('Element');
  method(Element, 'setAttribute', (native) => function setAttribute(name, value) {
    apply(native, this, [name, isSpecial(this, lower(name)) ? changedAttribute(this, lower(name), value) : value]);
  });
  method(Element, 'setAttributeNS', (native) => function setAttributeNS(space, name, value) {
    apply(native, this, [space, name, isSpecial(this, lower(name)) ? changedAttribute(this, lower(name), value) : value]);
  });
  method(Element, 'getAttribute', (native) => function getAttribute(name) {
    return seenAttribute(this, lower(name), apply(native, this, [name]));
  });
  method(Element, 'getAttributeNS', (native) => function getAttributeNS(space, name) {
    return seenAttribute(this, lower(name), apply(native, this, [space, name]));
  });
  accessor(proto('Attr'), 'value', (native) => function () {
    const value = apply(native, this, []);
    return this.ownerElement ? seenAttribute(this.ownerElement, this.name, value) : unwrapText(value);
  }, (native) => function (value) {
    const element = this.ownerElement;
    apply(native, this, [element && isSpecial(element, this.name) ? changedAttribute(element, this.name, value) : value]);
  });
  accessor(proto('SVGAnimatedString'), 'baseVal', (native) => function () {
    return unwrapText(apply(native, this, []));
  });
  constructor('Audio', (list) => (list.length && list[0] !== undefined ? [wrap(list[0], 'oe_')] : list));
  constructor('FontFace', ([family, source, ...rest]) => [family, typeof source === 'string' ? rewriteCss(source) : source, ...rest]);

  /** Speculation rules that came past all that, as by cloning or a parser: they act when their element enters the document. */
  function renameRules(script) {
    if (isRules(apply(nativeAttribute, script, ['type']) || '')) apply(nativeSetAttribute, script, ['type', RULES]);
  }
