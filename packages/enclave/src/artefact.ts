// Written by `npm run wasm:build` and compared by `npm run wasm:check`.

/** SHA-256 of `dist/enclave.wasm`, in lower-case hex. */
export const WASM_SHA256 = '781cb37c147590cf3cbb1ddf05107804d4db2112da45feb8f3e3ca2751b771aa'

/** Version of this package, and of the plugin that belongs to it. */
export const ENCLAVE_VERSION = '0.1.0'
