  // `navigation`: the last net for scripts whose `location` nobody renamed: no navigation leaves the collection.
  part('navigation', () => {
    if (!self.navigation) return;
    const getter = (type, name) => descriptorOf(self[type].prototype, name).get;
    const destinationOf = getter('NavigateEvent', 'destination');
    const urlOf = getter('NavigationDestination', 'url');
    const isCancelable = getter('Event', 'cancelable');
    const { preventDefault, stopImmediatePropagation } = self.Event.prototype;
    const { queueMicrotask } = self;
    const { slice } = String.prototype;
    const { origin } = new NativeURL(started.url);
    self.navigation.addEventListener('navigate', (event) => {
      const url = apply(urlOf, apply(destinationOf, event, []), []);
      if (!startsWith(url, 'http:') && !startsWith(url, 'https:')) return;
      if (startsWith(url, HOME + PREFIX) || !apply(isCancelable, event, [])) return;
      apply(preventDefault, event, []);
      apply(stopImmediatePropagation, event, []);
      const archived = startsWith(url, HOME + '/') ? origin + apply(slice, url, [HOME.length]) : url;
      apply(queueMicrotask, self, [() => real.assign(HOME + PREFIX + config.timestamp + LINK + '/' + archived)]);
    });
  });
})(self);
