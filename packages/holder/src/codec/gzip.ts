// gzip (RFC 1952), by the platform: a single complete member, with a limit on its size before memory is reserved.

/** The shortest member: a header, an empty block, and a trailer. */
const SHORTEST = 20

/** The unpacked length according to its last four bytes; meaningless for anything but one complete member. */
export function unpackedLength(bytes: Uint8Array): number {
  const { buffer, byteOffset, length } = bytes
  return length < SHORTEST ? 0 : new DataView(buffer, byteOffset + length - 4).getUint32(0, true)
}

/** Unpacks exactly that many bytes; undefined for anything else. */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = through(bytes, new DecompressionStream('gzip')).getReader()
  const out = new Uint8Array(length)
  let at = 0
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return at === length ? out : undefined
      if (value.length > length - at) return undefined
      out.set(value, at)
      at += value.length
    }
  } catch {
    return undefined
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** Compresses. The bytes may differ between platforms. */
export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(through(bytes, new CompressionStream('gzip'))).arrayBuffer())
}

function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(stream)
}
