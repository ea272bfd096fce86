  // What is left to be found under one name, `__varve_state`, by the shims of other frames and by tests. Workers are done
  // behind it: what follows is of windows.

  const state = {
    moved(next) {
      Object.assign(config, { cookies: [] }, next);
      document = self.document;
      isBlank = /^about:/.test(real.href);
      part('watch', () => state.watch());
      started = { real: withoutHash(real.href), url: normal(next.url) };
      part('cookie', () => state.bake());
      part('scripts', removeOwnScripts);
    },
    origin: archivedOrigin,
    owns: () => false,
    send: () => {},
    watch: () => {},
    bake: () => {},
    faults,
  };
  defineProperty(self, '__varve_state', { value: state, enumerable: false });

  function removeOwnScripts() {
    const script = document && document.currentScript;
    if (!script || !/\/-\/shim\.js$/.test(script.src)) return;
    const before = script.previousElementSibling;
    if (before && before.localName === 'script' && /__varve\s*=/.test(before.textContent)) before.remove();
    script.remove();
  }

  if (!document) return;
