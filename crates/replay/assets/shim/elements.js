  // Elements: the properties and attributes that are addresses. Setters lead into the archive, getters tell the archived
  // address.

  // What a script wrote into an attribute, so that it reads the same again.
  const written = new WeakMap();

  const nativeLocalName = descriptorOf(self.Element.prototype, 'localName').get;
  const nameOf = (element) => apply(nativeLocalName, element, []);

  function changedAttribute(element, name, value) {
    const text = '' + value;
    const changed = '' + (rewriteAttribute(nameOf(element), name, text, (other) => apply(nativeAttribute, element, [other])));
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

  const isSandbox = (element, name) => name === 'sandbox' && nameOf(element) === 'iframe';
  const isSpecial = (element, name) =>
    isSandbox(element, name) || name === 'style' || name === 'srcdoc' || name === 'integrity' || name === 'ping' || name.startsWith('on')
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

  const Element = proto('Element');
  // A name is turned into a string once: an object could have another for the browser.
  method(Element, 'setAttribute', (native) => function setAttribute(name, value) {
    const text = '' + name;
    const key = lower(text);
    apply(native, this, [text, isSpecial(this, key) ? changedAttribute(this, key, value) : value]);
  });
  method(Element, 'setAttributeNS', (native) => function setAttributeNS(space, name, value) {
    const text = '' + name;
    const key = lower(text);
    apply(native, this, [space, text, isSpecial(this, key) ? changedAttribute(this, key, value) : value]);
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
