// Written by `npm run wasm:build` and compared by `npm run wasm:check`.

/** SHA-256 of `dist/enclave.wasm`, in lower-case hex. */
export const WASM_SHA256 = '808beffcc8571b9e3ea91058bb56ee4b9cdffa4f3bbaa5265430ca95a3d8c1a8'

/** Version of this package, and of the plugin that belongs to it. */
export const ENCLAVE_VERSION = '0.1.0'
