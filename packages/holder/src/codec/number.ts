// Numbers and bytes. Only for public values: the time taken may depend on them.

/** Reads a big-endian number. */
export function numberOf(bytes: Uint8Array): bigint {
  let number = 0n
  for (const byte of bytes) number = (number << 8n) | BigInt(byte)
  return number
}

/** Writes a number as `length` bytes, big-endian. */
export function toBytes(number: bigint, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let rest = number
  for (let at = length; at > 0; rest >>= 8n) bytes[--at] = Number(rest & 255n)
  return bytes
}

/** The remainder, never negative. */
export function mod(number: bigint, modulus: bigint): bigint {
  const rest = number % modulus
  return rest < 0n ? rest + modulus : rest
}

/** `base` to the power of `exponent`. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = mod(base, modulus)
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}
