  // Keeping: `localStorage`, `sessionStorage`, `indexedDB`, `caches`, `BroadcastChannel`, the private file system. Every
  // archived origin has its own, told apart by what its names begin with.

  const ownName = (name) => 'varve ' + archivedOrigin() + ' ' + name;
  const bareName = (name) => (String(name).startsWith(ownName('')) ? String(name).slice(ownName('').length) : name);

  const areas = new WeakMap();
  let jarStorage = () => null;
  part('storage', () => {
    if (typeof self.Storage !== 'function') return;
    const natives = {};
    for (const name of ['getItem', 'setItem', 'removeItem', 'key']) natives[name] = self.Storage.prototype[name];
    const lengthOf = descriptorOf(self.Storage.prototype, 'length').get;
    const names = (area) => {
      const found = [];
      for (let index = 0; index < apply(lengthOf, area, []); index += 1) {
        const name = apply(natives.key, area, [index]);
        if (name.startsWith(ownName(''))) found.push(bareName(name));
      }
      return found;
    };
    const does = {
      getItem: (area, name) => apply(natives.getItem, area, [ownName(name)]),
      setItem: (area, name, value) => apply(natives.setItem, area, [ownName(name), value]),
      removeItem: (area, name) => apply(natives.removeItem, area, [ownName(name)]),
      key: (area, index) => names(area)[index] ?? null,
      clear: (area) => names(area).forEach((name) => apply(natives.removeItem, area, [ownName(name)])),
    };
    for (const name of Object.keys(does)) {
      method(self.Storage.prototype, name, (native) => function (...list) {
        const area = areas.get(this);
        return area ? does[name](area, ...list) : apply(native, this, list);
      });
    }
    accessor(self.Storage.prototype, 'length', (native) => function () {
      const area = areas.get(this);
      return area ? names(area).length : apply(native, this, []);
    });
    const shown = (area) => {
      const own = new Proxy(Object.create(self.Storage.prototype), {
        get: (target, name) => {
          if (typeof name === 'symbol' || name in target) return Reflect.get(target, name, own);
          return does.getItem(area, name) ?? undefined;
        },
        set: (target, name, value) => (does.setItem(area, name, value), true),
        has: (target, name) => name in target || does.getItem(area, name) !== null,
        deleteProperty: (target, name) => (does.removeItem(area, name), true),
        ownKeys: () => names(area),
        getOwnPropertyDescriptor: (target, name) => {
          const value = typeof name === 'symbol' ? null : does.getItem(area, name);
          return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
        },
      });
      areas.set(own, area);
      return own;
    };
    for (const name of ['sessionStorage', 'localStorage']) {
      let own;
      // Opened when it is asked for: the browser takes its time over that.
      accessor(self, name, (native) => function () {
        return (own = own || shown(apply(native, self, [])));
      });
    }
    const session = descriptorOf(self, 'sessionStorage').get;
    jarStorage = () => areas.get(apply(session, self, []));
    // Other origins' changes are nobody's business here. Whoever listens opens both storages, so that can wait.
    accessor(proto('StorageEvent'), 'key', (native) => function () {
      return bareName(apply(native, this, []));
    });
    accessor(proto('StorageEvent'), 'url', seen);
    const keyOf = descriptorOf(self.StorageEvent.prototype, 'key').get;
    const later = self.requestIdleCallback || self.setTimeout;
    apply(later, self, [() => self.addEventListener('storage', (event) => {
      if (event.isTrusted && /^varve /.test(apply(keyOf, event, []) || '')) event.stopImmediatePropagation();
    }, true)]);
  });

  const prefixed = (native) => function (name, ...rest) {
    return apply(native, this, [ownName(name), ...rest]);
  };
  for (const name of ['open', 'deleteDatabase']) method(proto('IDBFactory'), name, prefixed);
  method(proto('IDBFactory'), 'databases', (native) => function databases() {
    const isOwn = (found) => found.name.startsWith(ownName(''));
    return apply(native, this, []).then((all) => all.filter(isOwn).map((found) => ({ ...found, name: bareName(found.name) })));
  });
  accessor(proto('IDBDatabase'), 'name', (native) => function () {
    return bareName(apply(native, this, []));
  });
  for (const name of ['open', 'has', 'delete']) method(proto('CacheStorage'), name, prefixed);
  method(proto('CacheStorage'), 'keys', (native) => function keys() {
    return apply(native, this, []).then((all) => all.filter((name) => name.startsWith(ownName(''))).map(bareName));
  });
  method(proto('CacheStorage'), 'match', () => async function match(request, options) {
    for (const name of await this.keys()) {
      const found = await (await this.open(name)).match(request, options);
      if (found) return found;
    }
    return undefined;
  });
  const cached = (native) => function (request, ...rest) {
    const one = (value) => (value instanceof NativeRequest ? value : wrap(value, DATA));
    return apply(native, this, [Array.isArray(request) ? request.map(one) : request === undefined ? request : one(request), ...rest]);
  };
  for (const name of ['add', 'addAll', 'put', 'match', 'matchAll', 'delete', 'keys']) method(proto('Cache'), name, cached);
  constructor('BroadcastChannel', ([name]) => [ownName(name)]);
  accessor(proto('BroadcastChannel'), 'name', (native) => function () {
    return bareName(apply(native, this, []));
  });
  method(proto('StorageManager'), 'getDirectory', (native) => async function getDirectory() {
    const root = await apply(native, this, []);
    return root.getDirectoryHandle(encodeURIComponent(ownName('')), { create: true });
  });
