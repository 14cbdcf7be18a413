// Written by `npm run wasm:build` and compared by `npm run wasm:check`.

/** SHA-256 of `dist/enclave.wasm`, in lower-case hex. */
export const WASM_SHA256 = '6d8d48ba07cdae665034e7468b352d8f77e0a38999829c2aed5509b8c5b2ab76'

/** Version of this package, and of the plugin that belongs to it. */
export const ENCLAVE_VERSION = '0.1.0'
