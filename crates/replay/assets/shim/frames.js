  // Frames without an address of their own are given a shim before the page gets hold of them: where they are read
  // (`contentWindow`), and where elements are put into the document (`appendChild`, `append`, …).

  function adopt(frame) {
    try {
      if (!frame || frame === self || frame.__varve_state || !/^(?:about:|$)/.test(frame.location.href)) return;
      const shim = frame.Function('return ' + nativeToString.call(varveShim))();
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
