  // `navigation`: the last net for scripts whose `location` nobody renamed: no navigation leaves the archive, but by the banner.
  part('navigation', () => {
    if (!self.navigation) return;
    let isFromBanner = false;
    self.addEventListener('click', (event) => {
      isFromBanner = event.isTrusted && Boolean(event.target) && event.target.localName === 'varve-banner';
    }, true);
    self.navigation.addEventListener('navigate', (event) => {
      const url = event.destination.url;
      if (!/^https?:/.test(url) || unwrap(url) !== null || isFromBanner || !event.cancelable) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      self.queueMicrotask(() => real.assign(wrap(url, LINK)));
    });
  });
})(self);
