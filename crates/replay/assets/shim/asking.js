  // Asking: `fetch`, `Request`, `XMLHttpRequest`, beacons, `EventSource`, `importScripts` and worklets lead into the archive,
  // here and in workers; `WebSocket`, WebRTC and the like lead nowhere.

  function requestOptions(options) {
    if (!options || (!options.integrity && !options.referrer)) return options;
    const changed = Object.assign({}, options);
    delete changed.integrity;
    if (changed.referrer) changed.referrer = wrap(changed.referrer, LINK);
    return changed;
  }

  const NativeRequest = self.Request;
  method(self, 'fetch', (native) => function fetch(input, options) {
    const target = input instanceof NativeRequest ? input : wrap(input, DATA);
    return apply(native, self, [target, requestOptions(options)]);
  });
  constructor('Request', (list) => {
    const [input, ...rest] = list;
    if (rest.length) rest[0] = requestOptions(rest[0]);
    return list.length ? [input instanceof NativeRequest ? input : wrap(input, DATA), ...rest] : list;
  });
  const seen = (native) => function () {
    return asSeen(apply(native, this, []));
  };
  accessor(proto('Request'), 'url', seen);
  accessor(proto('Request'), 'referrer', seen);
  accessor(proto('Response'), 'url', seen);
  method(proto('XMLHttpRequest'), 'open', (native) => function open(verb, url, ...rest) {
    return apply(native, this, [verb, wrap(url, DATA), ...rest]);
  });
  accessor(proto('XMLHttpRequest'), 'responseURL', seen);
  method(proto('Navigator'), 'sendBeacon', () => () => true);
  method(self, 'importScripts', (native) => function importScripts(...urls) {
    return apply(native, self, urls.map((url) => wrap(url, 'js_')));
  });
  method(proto('Worklet'), 'addModule', (native) => function addModule(url, ...rest) {
    return apply(native, this, [wrap(url, 'js_'), ...rest]);
  });

  // What the server puts around the computed address of an `import(`. Relative ones are relative to the module that imports.
  defineProperty(self, '__varve_import', {
    value: (address) => (/^\s*(?:https?:)?\/\//i.test(address) ? wrap(address, 'js_') : address), enumerable: false,
  });

  part('EventSource', () => {
    const native = self.EventSource;
    if (!native) return;
    // What was recorded plays once; a source that began over and over would never let a page come to rest.
    const own = new Proxy(native, {
      construct(target, [url, ...rest], asked) {
        const source = Reflect.construct(target, [wrap(url, DATA), ...rest], asked === own ? target : asked);
        source.addEventListener('error', () => source.close());
        return source;
      },
    });
    replaceClass('EventSource', native, own);
    accessor(native.prototype, 'url', seen);
  });

  part('WebSocket', () => {
    const native = self.WebSocket;
    if (!native) return;
    const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
    // Nobody is there to talk to: as if the network were gone.
    class WebSocket extends self.EventTarget {
      constructor(url) {
        super();
        const target = new NativeURL(url, baseUrl());
        this.url = target.href.replace(/^http/, 'ws');
        this.readyState = STATES.CONNECTING;
        this.binaryType = 'blob';
        this.protocol = this.extensions = '';
        this.bufferedAmount = 0;
        this.onopen = this.onmessage = this.onerror = this.onclose = null;
        self.setTimeout(() => this.close(), 0);
      }
      send() {
        if (this.readyState === STATES.CONNECTING) throw new self.DOMException('Still connecting', 'InvalidStateError');
      }
      close() {
        if (this.readyState >= STATES.CLOSING) return;
        this.readyState = STATES.CLOSED;
        const ending = self.CloseEvent ? new self.CloseEvent('close', { code: 1006 }) : new self.Event('close');
        for (const event of [new self.Event('error'), ending]) {
          const handler = this['on' + event.type];
          if (typeof handler === 'function') this.addEventListener(event.type, handler, { once: true });
          self.queueMicrotask(() => this.dispatchEvent(event));
        }
      }
    }
    for (const name of Object.keys(STATES)) {
      for (const owner of [WebSocket, WebSocket.prototype]) defineProperty(owner, name, { value: STATES[name], enumerable: true });
    }
    disguised.set(WebSocket, native);
    defineProperty(self, 'WebSocket', { value: WebSocket, writable: true, configurable: true });
  });

  // Other ways to reach hosts outside that no policy of the server's covers.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'WebSocketStream', 'cookieStore']) {
    part(name, () => name in self && defineProperty(self, name, { value: undefined, writable: true, configurable: true }));
  }
