// Without `Atomics.waitAsync`, importing Extism starts a `blob:` Worker as a replacement, which neither our Content
// Security Policy nor Trusted Types allow. Only Extism's own worker would need it, and browsers don't use that.
if (!('waitAsync' in Atomics)) {
  Object.defineProperty(Atomics, 'waitAsync', {
    configurable: true,
    value() {
      throw new TypeError('Atomics.waitAsync is not supported here.')
    },
  })
}
