  // `document.cookie`: cookies are kept in a jar of ours, as long as the tab lives. The browser's own are neither read nor
  // written.
  part('cookie', () => {
    const KEY = 'varve cookies';
    const COOKIES_MAX = 600;
    const { getItem, setItem } = self.Storage.prototype;
    let memory = [];
    const jar = () => {
      try {
        return JSON.parse(apply(getItem, jarStorage(), [KEY])) || [];
      } catch {
        return memory;
      }
    };
    const keep = (cookies) => {
      memory = cookies.slice(-COOKIES_MAX);
      try {
        apply(setItem, jarStorage(), [KEY, JSON.stringify(memory)]);
      } catch {
        // Without storage the jar lasts as long as the page.
      }
    };
    const here = () => new NativeURL(ownerUrl());
    const isFor = (cookie, url) =>
      (cookie.host === url.hostname || (cookie.isShared && url.hostname.endsWith('.' + cookie.host))) &&
      (url.pathname === cookie.path || url.pathname.startsWith(cookie.path.replace(/\/?$/, '/'))) &&
      (!cookie.isSecure || url.protocol === 'https:') && (cookie.until === null || cookie.until > Date.now());
    const read = () => jar().filter((cookie) => isFor(cookie, here()))
      .sort((a, b) => b.path.length - a.path.length)
      .map((cookie) => (cookie.name ? cookie.name + '=' + cookie.value : cookie.value)).join('; ');
    const write = (text) => {
      const [pair, ...fields] = String(text).split(';').map((field) => field.trim());
      if (pair.length > 4096) return;
      const equals = pair.indexOf('=');
      const url = here();
      const cookie = {
        name: equals < 0 ? '' : pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim(),
        host: url.hostname, isShared: false, isSecure: false, until: null,
        path: url.pathname.replace(/\/[^/]*$/, '') || '/',
      };
      for (const field of fields) {
        const [key, value = ''] = field.split(/=(.*)/s).map((side) => side.trim());
        const name = key.toLowerCase();
        if (name === 'httponly') return;
        if (name === 'secure') cookie.isSecure = true;
        if (name === 'path' && value[0] === '/') cookie.path = value;
        if (name === 'expires' && cookie.until === null && !Number.isNaN(Date.parse(value))) cookie.until = Date.parse(value);
        if (name === 'max-age' && /^-?\d+$/.test(value)) cookie.until = Date.now() + Number(value) * 1000;
        if (name === 'domain' && value) {
          const domain = value.replace(/^\./, '').toLowerCase();
          if (domain !== url.hostname && !(domain.includes('.') && url.hostname.endsWith('.' + domain))) return;
          Object.assign(cookie, { host: domain, isShared: true });
        }
      }
      const isOther = (old) => old.name !== cookie.name || old.host !== cookie.host || old.path !== cookie.path;
      const others = jar().filter(isOther);
      keep(cookie.until !== null && cookie.until <= Date.now() ? others : [...others, cookie]);
    };
    // Those that the page's answer set once.
    state.bake = () => (config.cookies || []).forEach(write);
    state.bake();
    // The storage's own methods were replaced for pages; the jar lies beside them, under a name that no page can say.
    accessor(proto('Document'), 'cookie', () => read, () => write);
  });
