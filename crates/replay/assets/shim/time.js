  // Time: `Date` and `Math.random`, if they are to be as on the day of the capture (time starts there and then goes on);
  // the names in `performance`, scripts in the text of timers, and `origin`.

  if (config.pin) {
    part('pin', () => {
      const stamp = config.timestamp.padEnd(14, '0').match(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/).slice(1).map(Number);
      const then = Date.UTC(stamp[0], stamp[1] - 1, ...stamp.slice(2));
      const NativeDate = self.Date;
      const nativeNow = NativeDate.now;
      const offset = then - nativeNow();
      const now = disguise(() => nativeNow() + offset, nativeNow);
      const own = new Proxy(NativeDate, {
        construct: (target, list, asked) =>
          Reflect.construct(target, list.length ? list : [now()], asked === own ? target : asked),
        apply: () => new NativeDate(now()).toString(),
      });
      defineProperty(NativeDate, 'now', { value: now, writable: true, configurable: true });
      replaceClass('Date', NativeDate, own);
      // mulberry32, a small generator in the public domain, from the time and place of the capture.
      let dice = [...(config.timestamp + started.url)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
      method(Math, 'random', () => () => {
        dice = (dice + 0x6d2b79f5) | 0;
        let value = Math.imul(dice ^ (dice >>> 15), 1 | dice);
        value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
        return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
      });
    });
  }

  accessor(proto('PerformanceEntry'), 'name', (native) => function () {
    return asSeen(apply(native, this, []));
  });
  method(proto('Performance'), 'getEntriesByName', () => function getEntriesByName(name, type) {
    return this.getEntries().filter((entry) => entry.name === name && (type === undefined || entry.entryType === type));
  });
  for (const name of ['setTimeout', 'setInterval']) {
    method(self, name, (native) => function (work, ...rest) {
      return apply(native, self, [typeof work === 'string' ? rewriteScript(work) : work, ...rest]);
    });
  }
  accessor('origin' in (proto('WorkerGlobalScope') || {}) ? proto('WorkerGlobalScope') : self, 'origin', () => archivedOrigin);
