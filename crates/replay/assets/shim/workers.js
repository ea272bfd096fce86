  // `Worker`, `SharedWorker` and `navigator.serviceWorker`: workers are put together anew, with the shim before the script
  // that was meant; a page's own service worker is never installed, and ours is.

  part('Worker', () => {
    const shim = JSON.stringify(HOME + '/-/shim.js');
    // At once: many a page takes a blob's address back as soon as the worker is made.
    const textOf = (url) => {
      const request = new self.XMLHttpRequest();
      request.open('GET', url, false);
      request.send();
      return request.responseText;
    };
    const blobOf = (text) => NativeURL.createObjectURL(new self.Blob([text], { type: 'text/javascript' }));
    const setting = (url) => 'self.__varve=' + JSON.stringify({ ...childConfig(), url, modifier: 'sw_' }) + ';';
    const script = (url, options, isShared) => {
      const text = String(url);
      const isMade = /^(?:blob|data):/i.test(text);
      const isModule = Boolean(options) && options.type === 'module';
      // Shared workers are found again by their address, so theirs must be a lasting one: the server puts the shim before it.
      if (isShared && !isMade && !isModule) return wrap(text, 'sw_');
      const where = isMade ? baseUrl() : asSeen(new NativeURL(text, baseUrl()).href);
      const meant = JSON.stringify(wrap(text, 'js_'));
      if (!isModule) {
        const rest = isMade ? 'importScripts(' + shim + ');' + rewriteScript(textOf(text)) : 'importScripts(' + shim + ',' + meant + ');';
        return blobOf(setting(where) + rest);
      }
      // Imports run in order: first where we are, then the shim, then what was meant.
      const first = 'import ' + JSON.stringify(blobOf(setting(where))) + ';import ' + shim + ';';
      return blobOf(first + (isMade ? rewriteScript(textOf(text)) : 'import ' + meant + ';'));
    };
    for (const name of ['Worker', 'SharedWorker']) {
      constructor(name, (list) => {
        const options = typeof list[1] === 'string' ? { name: list[1] } : list[1];
        const rest = name === 'Worker' ? list.slice(1)
          : [{ ...options, name: archivedOrigin() + ' ' + ((options && options.name) || '') }];
        return [script(list[0], options, name === 'SharedWorker'), ...rest];
      });
    }
  });

  part('serviceWorker', () => {
    const container = proto('ServiceWorkerContainer');
    if (!container) return;
    const workers = self.navigator.serviceWorker;
    const register = container.register;
    const controller = descriptorOf(container, 'controller').get;
    // The archive's own worker. Without it, on a first visit, the page plays by what the server rewrote and by this shim.
    if (workers && document && !isBlank && !apply(controller, workers, [])) {
      apply(register, workers, [HOME + '/-/worker.js', { scope: '/', updateViaCache: 'none' }]).catch(() => {});
    }
    // A page's own is never installed, and ours is not shown to it.
    const pretended = (url, options) => Object.assign(new self.EventTarget(), {
      active: null, installing: null, waiting: null, onupdatefound: null, updateViaCache: 'imports',
      scope: new NativeURL((options && options.scope) || './', new NativeURL(url, baseUrl())).href,
      update: () => Promise.resolve(), unregister: () => Promise.resolve(true),
      getNotifications: () => Promise.resolve([]), showNotification: () => Promise.resolve(),
    });
    method(container, 'register', () => (url, options) => new Promise((done) => done(pretended(String(url), options))));
    method(container, 'getRegistration', () => () => Promise.resolve(undefined));
    method(container, 'getRegistrations', () => () => Promise.resolve([]));
    accessor(container, 'ready', () => () => new Promise(() => {}));
    accessor(container, 'controller', () => () => null);
  });
