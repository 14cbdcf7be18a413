// Answers of the token worker to the page, in memory that both share. After a key press, Chromium delivers messages to a page only once it
// has drawn its next frame, up to 16 ms later. A page that waits for shared memory hears at once, so what was found is drawn together with
// the letter.

/** Bytes for one answer. Forty found tokens take about 30 KB. */
const ROOM = 256 * 1024
/** Bytes before the answer: its length, as an Int32. It is 0 while there is none, and -1 once no one listens any more. */
const HEAD = 4

const lengthIn = (buffer: SharedArrayBuffer) => new Int32Array(buffer, 0, 1)
const bytesIn = (buffer: SharedArrayBuffer) => new Uint8Array(buffer, HEAD)

/** New shared memory for answers. Undefined if the browser has none, or can't wait for it without blocking the page. */
export function newAnswerBuffer(): SharedArrayBuffer | undefined {
  // WebKitGTK has no shared memory, also where it says that the page is isolated.
  const isThere = globalThis.crossOriginIsolated && typeof SharedArrayBuffer === 'function'
  return isThere && 'waitAsync' in Atomics ? new SharedArrayBuffer(HEAD + ROOM) : undefined
}

/** JSON, outside the shared memory: browsers encode nothing inside. Undefined if JSON has no form for it: a policy can have long integers. */
function encode(answer: unknown): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new TextEncoder().encode(JSON.stringify(answer))
  } catch {
    return undefined
  }
}

/**
 * Writes an answer, as JSON.
 * @returns false if it has no such form or doesn't fit, the answer before was not read yet, or no one listens any more: then send it as a message
 */
export function writeAnswer(buffer: SharedArrayBuffer, answer: unknown): boolean {
  const length = lengthIn(buffer)
  if (Atomics.load(length, 0) !== 0) return false
  const text = encode(answer)
  const bytes = bytesIn(buffer)
  if (text === undefined || text.length > bytes.length) return false
  bytes.set(text)
  Atomics.store(length, 0, text.length)
  Atomics.notify(length, 0)
  return true
}

/**
 * Hears each answer that is written. It is wiped as soon as it was read: it can contain what is sealed in storage.
 * @returns ends that, wipes what was not read, and lets nothing more be written
 */
export function hearAnswers(buffer: SharedArrayBuffer, hear: (answer: unknown) => void): () => void {
  const length = lengthIn(buffer)
  const bytes = bytesIn(buffer)
  let isOver = false
  const follow = async () => {
    while (true) {
      await Atomics.waitAsync(length, 0, 0).value
      if (isOver) return
      const answer = bytes.slice(0, Atomics.load(length, 0))
      bytes.fill(0, 0, answer.length)
      Atomics.store(length, 0, 0)
      if (answer.length > 0) hear(JSON.parse(new TextDecoder().decode(answer)))
    }
  }
  void follow()
  return () => {
    isOver = true
    Atomics.store(length, 0, -1)
    bytes.fill(0)
    Atomics.notify(length, 0)
  }
}
