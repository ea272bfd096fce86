// The shim: lets the scripts of an archived page believe that they are where they once were.
//
// It is the first script of every archived document and worker. What scripts ask of the browser about addresses (location,
// links, cookies, storage, messages) is answered as the live page would have been; what they send for is fetched from the
// archive. It reads one object, `__varve`, which the server puts before it: {prefix, timestamp, modifier, url, pages,
// pin}, and the `cookies` that came with a page.
//
// Two words are used throughout. To *wrap* an address is to turn an archived one into one of the replay server, to *unwrap*
// it the way back. ../README.md tells how shim, worker and server work together.
//
// It is one function, in files by what they patch: this one opens it, `navigation.js` closes it, and `src/assets.rs` puts
// them together in their order. A file uses what those before it declare.
//
// Nothing here may throw while it starts: each part is on its own, and one that fails leaves the browser's own in place.
(function varveShim(self, given) {
  'use strict';

  const config = given || self.__varve;
  if (!config || typeof config.url !== 'string' || typeof config.timestamp !== 'string') return;
  // A frame's first, empty document shares its window with the page that follows: it is told where it is now.
  if (self.__varve_state) {
    self.__varve_state.moved(config);
    return;
  }

  // A frame's window may outlive its first, empty document.
  let document = self.document;
  const real = self.location;
  const NativeURL = self.URL;
  const defineProperty = Object.defineProperty;
  const descriptorOf = Object.getOwnPropertyDescriptor;
  const nativeToString = Function.prototype.toString;
  // Scripts may replace `call` and its like to get hold of what is called: the browser's own are called by this one, and what
  // keeps a page in uses nothing that a script can replace.
  const { apply } = Reflect;
  const nativeStartsWith = String.prototype.startsWith;
  const startsWith = (text, start) => apply(nativeStartsWith, text, [start]);
  const faults = [];

  function part(name, body) {
    try {
      body();
    } catch (error) {
      faults.push(name + ': ' + error);
    }
  }
