// Written by `npm run wasm:build` and compared by `npm run wasm:check`.

/** SHA-256 of `dist/enclave.wasm`, in lower-case hex. */
export const WASM_SHA256 = '95c0f53e577f488e2ccf17ab2279fce2d02f97abac210470a0c1695599bdfc3b'

/** Version of this package, and of the plugin that belongs to it. */
export const ENCLAVE_VERSION = '0.1.0'
