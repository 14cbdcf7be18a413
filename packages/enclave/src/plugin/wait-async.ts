// Where `Atomics.waitAsync` is missing, importing Extism starts a `blob:` Worker in its place, which neither our Content
// Security Policy nor Trusted Types let through. Only Extism's own worker would need it, and browsers do not use that.
if (!('waitAsync' in Atomics)) {
  Object.defineProperty(Atomics, 'waitAsync', {
    configurable: true,
    value() {
      throw new TypeError('Atomics.waitAsync is not supported here.')
    },
  })
}
