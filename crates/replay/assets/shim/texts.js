  // Texts that scripts make: addresses in style sheets and `srcset`, the word `location` in scripts. It patches nothing.

  const CSS_ADDRESS = /(@import\s+)(?:"([^"]*)"|'([^']*)')|url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]+))\s*\)/gi;

  function rewriteCss(css) {
    const text = String(css);
    if (!/url\(|@import/i.test(text)) return css;
    return text.replace(CSS_ADDRESS, (all, at, a, b, c, d, e) => {
      if (at) return at + '"' + wrap(a === undefined ? b : a, 'cs_') + '"';
      const url = [c, d, e].find((value) => value !== undefined);
      const wrapped = String(wrap(url, 'oe_'));
      return wrapped === url ? all : 'url("' + wrapped.replace(/["\\\n]/g, encodeURIComponent) + '")';
    });
  }

  function rewriteSrcset(text) {
    return String(text).replace(/([^\s,]\S*[^\s,]|[^\s,])(\s+[\d.]+[wxh])?(\s*(?:,|$))/g,
      (all, url, size, end) => wrap(url, 'im_') + (size || '') + end);
  }

  const SCRIPT_TOKEN = new RegExp([
    '\\/\\/[^\\n]*|\\/\\*[^]*?\\*\\/', // comments
    '"(?:[^"\\\\\\n]|\\\\[^])*"|\'(?:[^\'\\\\\\n]|\\\\[^])*\'|`(?:[^`\\\\]|\\\\[^])*`', // strings
    '[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*|\\d[\\w.]*', // names and numbers
    '\\s+|\\?\\.|=>|[^]',
  ].join('|'), 'gu');
  const SCRIPT_REGEX = /\/(?:[^\/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
  const BEFORE_REGEX = /^(?:[(,=:[!&|?{};+\-*%~^<>]|=>|return|typeof|case|in|of|do|else|void|delete|throw|new)$/;

  /** The renaming of `location`, for script text that only comes to be in the browser. The server's own is more thorough. */
  function rewriteScript(script) {
    const text = String(script);
    if (!text.includes('location')) return script;
    const tokens = [];
    SCRIPT_TOKEN.lastIndex = 0;
    let before = '(';
    for (let found; (found = SCRIPT_TOKEN.exec(text)); ) {
      let token = found[0];
      if (token === '/' && BEFORE_REGEX.test(before)) {
        SCRIPT_REGEX.lastIndex = found.index;
        const regex = SCRIPT_REGEX.exec(text);
        if (regex) {
          token = regex[0];
          SCRIPT_TOKEN.lastIndex = SCRIPT_REGEX.lastIndex;
        }
      }
      tokens.push(token);
      if (!/^\s|^\/[\/*]/.test(token)) before = token;
    }
    return renamed(tokens);
  }

  function renamed(tokens) {
    const isMeant = (token) => !/^\s|^\/[\/*]/.test(token);
    const neighbour = (index, step) => {
      for (let at = index + step; at >= 0 && at < tokens.length; at += step) if (isMeant(tokens[at])) return tokens[at];
      return '';
    };
    const open = [];
    return tokens.map((token, index) => {
      if (token === '(' || token === '[' || token === '{') open.push(token);
      else if (token === ')' || token === ']' || token === '}') open.pop();
      if (/^["']location["']$/.test(token) && neighbour(index, -1) === '[' && neighbour(index, 1) === ']') {
        return '"__varve_location"';
      }
      if (token !== 'location') return token;
      const [last, next] = [neighbour(index, -1), neighbour(index, 1)];
      if (last === '.' || last === '?.') return '__varve_location';
      const isInBraces = open[open.length - 1] === '{' && (last === '{' || last === ',');
      if (isInBraces && (next === ':' || next === '(')) return token;
      if (isInBraces && (next === '}' || next === ',')) return 'location: __varve_location';
      return '__varve_location';
    }).join('');
  }
