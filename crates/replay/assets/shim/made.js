  // What scripts make: rules of style sheets, `innerHTML`, `document.write` and their like, the text of scripts and styles.

  // Style sheets and declarations. `element.style.background = …` cannot be caught as it is set; the watch below sees it.
  for (const name of ['insertRule', 'replace', 'replaceSync']) {
    method(proto('CSSStyleSheet'), name, (native) => function (css, ...rest) {
      return native.call(this, rewriteCss(css), ...rest);
    });
  }
  method(proto('CSSGroupingRule'), 'insertRule', (native) => function insertRule(css, ...rest) {
    return native.call(this, rewriteCss(css), ...rest);
  });
  method(proto('CSSStyleDeclaration'), 'setProperty', (native) => function setProperty(name, value, ...rest) {
    return native.call(this, name, rewriteCss(value), ...rest);
  });
  accessor(proto('CSSStyleDeclaration'), 'cssText', (native) => function () {
    return unwrapText(native.call(this));
  }, (native) => function (css) {
    native.call(this, rewriteCss(css));
  });

  // Markup from scripts.
  const marked = (native) => function (markup) {
    native.call(this, isRawText(this) ? rawText(this, markup) : markup === null ? markup : rewriteMarkup(markup));
  };
  const unmarked = (native) => function () {
    return unwrapText(native.call(this));
  };
  accessor(Element, 'innerHTML', unmarked, marked);
  accessor(Element, 'outerHTML', unmarked, marked);
  accessor(proto('ShadowRoot'), 'innerHTML', unmarked, marked);
  method(Element, 'insertAdjacentHTML', (native) => function insertAdjacentHTML(where, markup) {
    return native.call(this, where, rewriteMarkup(markup));
  });
  for (const owner of [Element, proto('ShadowRoot')]) {
    method(owner, 'setHTMLUnsafe', (native) => function setHTMLUnsafe(markup, ...rest) {
      return native.call(this, rewriteMarkup(markup), ...rest);
    });
  }
  method(proto('Range'), 'createContextualFragment', (native) => function createContextualFragment(markup) {
    return native.call(this, rewriteMarkup(markup));
  });
  method(proto('DOMParser'), 'parseFromString', (native) => function parseFromString(text, type) {
    return native.call(this, type === 'text/html' ? rewriteMarkup(text) : text, type);
  });
  method(proto('XMLSerializer'), 'serializeToString', (native) => function serializeToString(node) {
    return unwrapText(native.call(this, node));
  });
  for (const name of ['write', 'writeln']) {
    method(proto('Document'), name, (native) => function (...texts) {
      return native.call(this, rewriteMarkup(texts.join('')));
    });
  }

  // Text of scripts and style sheets that scripts make.
  const isRawText = (node) => node.localName === 'style' || node.localName === 'script';
  const rawText = (element, text) => (element.localName === 'style' ? rewriteCss(text) : rewriteScript(text));
  for (const [owner, name] of [[proto('Node'), 'textContent'], [proto('HTMLElement'), 'innerText'], [proto('HTMLScriptElement'), 'text']]) {
    accessor(owner, name, null, (native) => function (text) {
      native.call(this, this.nodeType === 1 && isRawText(this) && text !== null ? rawText(this, text) : text);
    });
  }
