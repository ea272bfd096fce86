  // `sandbox` of frames, by all ways but those of `elements.js`: its list of words, attributes as nodes, and frames that come with it
  // already. A frame that may navigate the whole window could lead it out of the archive.

  const nativeNodeValue = descriptorOf(self.Node.prototype, 'nodeValue');
  const { has: isListed, add: list } = self.WeakSet.prototype;
  const sandboxLists = new self.WeakSet();
  const isTopNavigation = (word) => withoutTopNavigation(word) !== '' + word;

  /** Takes leave to navigate the window from a frame that has it. */
  function mendSandbox(element) {
    if (nameOf(element) !== 'iframe') return;
    const value = apply(nativeAttribute, element, ['sandbox']);
    if (value === null) return;
    const changed = withoutTopNavigation(value);
    if (changed !== value) apply(nativeSetAttribute, element, ['sandbox', changed]);
  }

  part('sandbox', () => {
    accessor(proto('HTMLIFrameElement'), 'sandbox', (native) => function () {
      const found = apply(native, this, []);
      apply(list, sandboxLists, [found]);
      return found;
    }, (native) => function (value) {
      apply(native, this, [withoutTopNavigation(value)]);
    });
    const DOMTokenList = proto('DOMTokenList');
    const { contains, remove } = DOMTokenList;
    const isOfFrame = (tokens) => apply(isListed, sandboxLists, [tokens]);
    method(DOMTokenList, 'add', (native) => function add(...words) {
      if (!isOfFrame(this)) return apply(native, this, words);
      for (let at = 0; at < words.length; at += 1) {
        const word = '' + words[at];
        if (!isTopNavigation(word)) apply(native, this, [word]);
      }
      return undefined;
    });
    method(DOMTokenList, 'toggle', (native) => function toggle(word, ...rest) {
      const text = '' + word;
      return isOfFrame(this) && isTopNavigation(text) ? false : apply(native, this, [text, ...rest]);
    });
    method(DOMTokenList, 'replace', (native) => function replace(old, word) {
      const text = '' + word;
      if (!isOfFrame(this) || !isTopNavigation(text)) return apply(native, this, [old, text]);
      const isThere = apply(contains, this, [old]);
      apply(remove, this, [old]);
      return isThere;
    });
    accessor(DOMTokenList, 'value', null, (native) => function (value) {
      apply(native, this, [isOfFrame(this) ? withoutTopNavigation(value) : value]);
    });
  });

  part('attributes as nodes', () => {
    // As a node it belongs to no element before it is put into one.
    const beforeSetting = (attribute) => {
      if (!attribute || attribute.nodeType !== 2) return;
      const value = apply(nativeNodeValue.get, attribute, []);
      if (lower(attribute.localName) === 'sandbox') apply(nativeNodeValue.set, attribute, [withoutTopNavigation(value)]);
    };
    const setting = (native) => function (attribute) {
      beforeSetting(attribute);
      return apply(native, this, [attribute]);
    };
    for (const name of ['setAttributeNode', 'setAttributeNodeNS']) method(Element, name, setting);
    for (const name of ['setNamedItem', 'setNamedItemNS']) method(proto('NamedNodeMap'), name, setting);
    for (const name of ['nodeValue', 'textContent']) {
      accessor(proto('Node'), name, null, (native) => function (value) {
        const isSandboxNode = this.nodeType === 2 && lower(this.localName) === 'sandbox';
        apply(native, this, [isSandboxNode ? withoutTopNavigation(value === null ? '' : value) : value]);
      });
    }
  });
