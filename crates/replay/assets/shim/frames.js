  // Frames without an address of their own are given a shim before the page gets hold of them: where they are read
  // (`contentWindow`), and where elements are put into the document (`appendChild`, `append`, …).

  const nativeLength = descriptorOf(self, 'length').get;

  function adopt(frame) {
    try {
      if (!frame || frame === self || frame.__varve_state) return;
      const { href } = frame.location;
      if (href !== '' && !startsWith(href, 'about:')) return;
      const shim = frame.Function('return ' + apply(nativeToString, varveShim, []))();
      shim(frame, { ...childConfig(), disguised });
    } catch {
      // Of another origin after all: then it is none of ours to lead.
    }
  }

  /** Adopts the frames of this window, before whoever made them gets to them. */
  function adoptFrames() {
    const length = apply(nativeLength, self, []);
    for (let index = 0; index < length; index += 1) adopt(self[index]);
  }

  for (const type of ['HTMLIFrameElement', 'HTMLFrameElement', 'HTMLObjectElement']) {
    for (const name of ['contentWindow', 'contentDocument']) {
      accessor(proto(type), name, (native) => function () {
        const found = apply(native, this, []);
        if (found) adopt(name === 'contentWindow' ? found : found.defaultView);
        return found;
      });
    }
  }

  function beforeEntering(node) {
    if (!node) return;
    if (node.nodeType === 3 && node.parentNode === null) return;
    if (node.nodeType === 1) {
      mendSandbox(node);
      if (node.firstElementChild) node.querySelectorAll('iframe[sandbox]').forEach(mendSandbox);
    }
    if (node.localName === 'script') renameRules(node);
    if (node.localName === 'script' && !node.isConnected && apply(nativeAttribute, node, ['src']) === null) {
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
  }

  const entering = (count) => (native) => function (...list) {
    if (this.localName === 'script') renameRules(this);
    const nodes = count ? list.slice(0, count) : list;
    const moved = nodes.flatMap((node) => (node && node.nodeType === 11 ? [...node.childNodes] : [node]));
    moved.forEach(beforeEntering);
    const result = apply(native, this, list);
    adoptFrames();
    moved.forEach(afterEntering);
    return result;
  };
  for (const name of ['appendChild', 'insertBefore', 'replaceChild']) method(proto('Node'), name, entering(1));
  for (const type of ['Element', 'Document', 'DocumentFragment', 'CharacterData']) {
    for (const name of ['append', 'prepend', 'before', 'after', 'replaceWith', 'replaceChildren']) {
      if (proto(type) && descriptorOf(proto(type), name)) method(proto(type), name, entering(0));
    }
  }
  method(proto('Range'), 'insertNode', entering(1));
  method(Element, 'insertAdjacentElement', (native) => function insertAdjacentElement(where, element) {
    beforeEntering(element);
    const result = apply(native, this, [where, element]);
    adoptFrames();
    afterEntering(element);
    return result;
  });
