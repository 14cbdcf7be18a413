/** A module with one SIMD instruction (`i8x16.splat`): the enclave has many. */
const SIMD = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  // A function without parameters that returns a vector.
  ...[1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 65, 0, 253, 15, 11],
)

/** Whether this browser can run the enclave: it has WebAssembly, and its SIMD instructions. */
export function canRunEnclave(): boolean {
  try {
    return WebAssembly.validate(SIMD)
  } catch {
    return false
  }
}
