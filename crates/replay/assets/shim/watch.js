  // The watch over the document: what came past everything above, from the parser or by a way that cannot be patched, is
  // led back as soon as it is there. It patches `attachShadow`, to watch there too.

  const astrayCss = (css) => [...css.matchAll(CSS_ADDRESS)].some((found) => isAstray(found.slice(2).find(Boolean) || ''));

  /** Leads an element back that came past everything above. */
  function mend(element) {
    const rules = rulesOf(element.localName);
    const of = (name) => apply(nativeAttribute, element, [name]);
    for (const name in rules) {
      const value = of(name);
      if (value === null) continue;
      const isWrong = rules[name] === SRCSET ? value.split(',').some(isAstray) : isAstray(value);
      if (isWrong) apply(nativeSetAttribute, element, [name, changedAttribute(element, name, value)]);
    }
    mendSandbox(element);
    mendStyle(element);
    if (element.localName === 'style' && astrayCss(element.textContent)) element.textContent = rewriteCss(element.textContent);
    if (element.localName === 'meta' && /^content-security-policy/i.test(of('http-equiv') || '')) element.remove();
  }

  function mendStyle(element) {
    const style = apply(nativeAttribute, element, ['style']);
    if (style !== null && style.includes('url(') && astrayCss(style)) apply(nativeSetAttribute, element, ['style', rewriteCss(style)]);
  }

  part('watch', () => {
    const NEEDY = Object.keys(ADDRESSES).join(',') + ',style,meta,[style]';
    const watch = new self.MutationObserver((records) => {
      adoptFrames();
      for (const record of records) {
        if (record.type === 'attributes') {
          mendStyle(record.target);
          mendSandbox(record.target);
          continue;
        }
        for (const node of record.addedNodes) {
          if (node.nodeType !== 1 || node.localName === 'varve-banner') continue;
          mend(node);
          if (node.firstElementChild) node.querySelectorAll(NEEDY).forEach(mend);
          if (node.localName === 'script') renameRules(node);
        }
      }
    });
    const what = { childList: true, subtree: true, attributes: true, attributeFilter: ['style', 'sandbox'] };
    state.watch = () => watch.observe(document, what);
    state.watch();
    method(Element, 'attachShadow', (native) => function attachShadow(options) {
      const root = apply(native, this, [options]);
      if (this.localName !== 'varve-banner') watch.observe(root, what);
      return root;
    });
  });
