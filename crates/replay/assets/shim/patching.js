  // Patching so that it does not show: methods, accessors and classes are replaced by ones that look native. It patches
  // `Function.prototype.toString`, which would tell, and nothing else.

  // What each of ours stands for, whose text it tells as its own.
  const disguised = config.disguised || new WeakMap();

  function disguise(own, native) {
    disguised.set(own, native);
    for (const key of ['name', 'length']) defineProperty(own, key, { value: native[key], configurable: true });
    return own;
  }

  /** Replaces a method by what `make` makes of it. */
  function method(owner, name, make) {
    part(name, () => {
      const native = owner && owner[name];
      if (typeof native !== 'function') return;
      const old = descriptorOf(owner, name) || { writable: true, enumerable: true, configurable: true };
      defineProperty(owner, name, { ...old, value: disguise(make(native), native) });
    });
  }

  /** Replaces an accessor: `get` and `set` are given the browser's own and make the new one. */
  function accessor(owner, name, get, set) {
    part(name, () => {
      const old = owner && descriptorOf(owner, name);
      if (!old || !old.get || !old.configurable) return;
      const changed = { ...old };
      if (get) changed.get = disguise(get(old.get), old.get);
      if (set && old.set) changed.set = disguise(set(old.set), old.set);
      defineProperty(owner, name, changed);
    });
  }

  /** Replaces a class by one whose constructor has its arguments changed. */
  function constructor(name, change) {
    part(name, () => {
      const native = self[name];
      if (typeof native !== 'function') return;
      const own = new Proxy(native, {
        construct: (target, list, asked) => Reflect.construct(target, change(list), asked === own ? target : asked),
      });
      replaceClass(name, native, own);
    });
  }

  function replaceClass(name, native, own) {
    disguised.set(own, native);
    defineProperty(self, name, { value: own, writable: true, enumerable: false, configurable: true });
    part(name, () => defineProperty(native.prototype, 'constructor', { value: own, writable: true, configurable: true }));
  }

  function proto(name) {
    return typeof self[name] === 'function' ? self[name].prototype : undefined;
  }

  part('toString', () => {
    const own = {
      toString() {
        return apply(nativeToString, disguised.get(this) || this, []);
      },
    }.toString;
    disguise(own, nativeToString);
    defineProperty(Function.prototype, 'toString', { value: own, writable: true, configurable: true });
  });
