// Written by `npm run wasm:build` and compared by `npm run wasm:check`.

/** SHA-256 of `dist/enclave.wasm`, in lower-case hex. */
export const WASM_SHA256 = 'f8a2982822e392b70cf6398decf72cd780bc476cb1577d4e38357b5099a4c9a0'

/** Version of this package, and of the plugin that belongs to it. */
export const ENCLAVE_VERSION = '0.1.0'
