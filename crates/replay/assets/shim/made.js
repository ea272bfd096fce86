  // What scripts make: rules of style sheets, `innerHTML`, `document.write` and their like, the text of scripts and styles.

  // Style sheets and declarations. `element.style.background = …` cannot be caught as it is set; the watch below sees it.
  for (const name of ['insertRule', 'replace', 'replaceSync']) {
    method(proto('CSSStyleSheet'), name, (native) => function (css, ...rest) {
      return apply(native, this, [rewriteCss(css), ...rest]);
    });
  }
  method(proto('CSSGroupingRule'), 'insertRule', (native) => function insertRule(css, ...rest) {
    return apply(native, this, [rewriteCss(css), ...rest]);
  });
  method(proto('CSSStyleDeclaration'), 'setProperty', (native) => function setProperty(name, value, ...rest) {
    return apply(native, this, [name, rewriteCss(value), ...rest]);
  });
  accessor(proto('CSSStyleDeclaration'), 'cssText', (native) => function () {
    return unwrapText(apply(native, this, []));
  }, (native) => function (css) {
    apply(native, this, [rewriteCss(css)]);
  });

  // Markup from scripts.
  const marked = (native) => function (markup) {
    apply(native, this, [isRawText(this) ? rawText(this, markup) : markup === null ? markup : rewriteMarkup(markup)]);
    adoptFrames();
  };
  const unmarked = (native) => function () {
    return unwrapText(apply(native, this, []));
  };
  accessor(Element, 'innerHTML', unmarked, marked);
  accessor(Element, 'outerHTML', unmarked, marked);
  accessor(proto('ShadowRoot'), 'innerHTML', unmarked, marked);
  method(Element, 'insertAdjacentHTML', (native) => function insertAdjacentHTML(where, markup) {
    apply(native, this, [where, rewriteMarkup(markup)]);
    adoptFrames();
  });
  for (const owner of [Element, proto('ShadowRoot')]) {
    method(owner, 'setHTMLUnsafe', (native) => function setHTMLUnsafe(markup, ...rest) {
      apply(native, this, [rewriteMarkup(markup), ...rest]);
      adoptFrames();
    });
  }
  method(proto('Range'), 'createContextualFragment', (native) => function createContextualFragment(markup) {
    return apply(native, this, [rewriteMarkup(markup)]);
  });
  method(proto('DOMParser'), 'parseFromString', (native) => function parseFromString(text, type) {
    return apply(native, this, [type === 'text/html' ? rewriteMarkup(text) : text, type]);
  });
  method(proto('XMLSerializer'), 'serializeToString', (native) => function serializeToString(node) {
    return unwrapText(apply(native, this, [node]));
  });
  for (const name of ['write', 'writeln']) {
    method(proto('Document'), name, (native) => function (...texts) {
      apply(native, this, [rewriteMarkup(texts.join(''))]);
      adoptFrames();
    });
  }

  // Text of scripts and style sheets that scripts make.
  const isRawText = (node) => node.localName === 'style' || node.localName === 'script';
  const rawText = (element, text) => (element.localName === 'style' ? rewriteCss(text) : rewriteScript(text));
  // Scripts have their own of each in newer browsers.
  for (const type of ['Node', 'HTMLElement', 'HTMLScriptElement']) {
    for (const name of ['textContent', 'innerText', 'text']) {
      accessor(proto(type), name, null, (native) => function (text) {
        if (this.localName === 'script') renameRules(this);
        apply(native, this, [this.nodeType === 1 && isRawText(this) && text !== null ? rawText(this, text) : text]);
      });
    }
  }
