  // `postMessage` between windows. Really all are of one origin; to the page each is of its archived one. A window's own
  // `postMessage` does not know who calls it, so the stack tells; the browser then takes the caller for the source.

  part('postMessage', () => {
    const native = self.postMessage;
    const nativeSrc = descriptorOf(self.HTMLScriptElement.prototype, 'src').get;
    const nativeEntries = self.Performance.prototype.getEntriesByType;
    state.send = (target, post, list) => apply(post, target, list);
    state.owns = (url) => withoutHash(real.href) === url
      || apply(Array.prototype.some, document.scripts, [(script) => apply(nativeSrc, script, []) === url])
      || apply(nativeEntries, self.performance, ['resource']).some((entry) => entry.name === asSeen(url) && !/frame/.test(entry.initiatorType));
    const family = (root, found) => {
      if (!found.includes(root) && found.length < 100) {
        found.push(root);
        for (let index = 0; index < root.length; index += 1) part('family', () => family(root[index], found));
      }
      return found;
    };
    const callerOf = (stack) => {
      const urls = (stack.match(/https?:\/\/[^\s()]+?(?=:\d+:\d+)/g) || []).filter((url) => !url.endsWith('/-/shim.js'));
      if (!urls.length) return self;
      const windows = family(self.top, []);
      if (self.opener) part('opener', () => family(self.opener.top, windows));
      const owners = windows.filter((one) => {
        try {
          return one.__varve_state.owns(withoutHash(urls[0]));
        } catch {
          return false;
        }
      });
      return owners.find((one) => one !== self) && !owners.includes(self) ? owners[0]
        : owners.find((one) => one === self.parent) || owners.find((one) => one.parent === self) || self;
    };
    method(self, 'postMessage', () => function postMessage(message, target, transfer) {
      const isObject = typeof target === 'object' && target !== null;
      const wanted = isObject ? target.targetOrigin : target;
      const caller = callerOf(String(new Error().stack));
      const from = caller.__varve_state || state;
      if (wanted !== undefined && wanted !== '*') {
        const origin = wanted === '/' ? from.origin() : new NativeURL(wanted).origin;
        if (origin !== archivedOrigin() && origin !== HOME) return;
      }
      from.send(self, native, [message, '*', isObject ? target.transfer || [] : transfer || []]);
    });
    const nativeSource = descriptorOf(self.MessageEvent.prototype, 'source').get;
    accessor(self.MessageEvent.prototype, 'origin', (get) => function () {
      const origin = apply(get, this, []);
      if (origin !== HOME) return origin;
      const source = apply(nativeSource, this, []);
      try {
        return source.__varve_state.origin();
      } catch {
        return archivedOrigin();
      }
    });
  });
