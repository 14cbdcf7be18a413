/** A sentence is made of parts, so that a page can emphasise the important ones. */
export interface Part {
  text: string
  kind: 'plain' | 'who' | 'what' | 'limit' | 'when'
  /** The whole DID, if the text shortens it. */
  full?: string
}

/** The style of a part. */
export function partLook({ kind }: Part): string {
  return kind === 'plain' ? '' : 'font-semibold'
}

/** A name has its own text direction, which must not affect the text around it. */
export function partDirection({ kind }: Part): 'auto' | undefined {
  return kind === 'who' ? 'auto' : undefined
}

// Two characters from Unicode's private use area, which no token's text shows. They go around a part's number.
const OPEN = '\uE000'
const CLOSE = '\uE001'

/** Inserts parts into a message, in whatever order its language needs. */
export class Parts {
  readonly #parts: Part[] = []

  /** Adds a part. @returns its placeholder for the message */
  put(part: Part): string {
    this.#parts.push(part)
    return `${OPEN}${this.#parts.length - 1}${CLOSE}`
  }

  /** A message with its parts inserted. */
  read(message: string): Part[] {
    const pieces = message.split(new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'u'))
    return pieces.flatMap((piece, index): Part[] => {
      const part = index % 2 === 1 ? this.#parts[Number(piece)] : undefined
      if (part !== undefined) return [part]
      return piece === '' ? [] : [{ text: piece, kind: 'plain' }]
    })
  }
}
