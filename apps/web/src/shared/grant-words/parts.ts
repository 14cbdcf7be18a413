/** What a sentence is made of, so that a page can set the parts that matter in weight. */
export interface Part {
  text: string
  kind: 'plain' | 'who' | 'what' | 'limit' | 'when'
  /** The whole DID behind a shortened one. */
  full?: string
}

/** How a part is set. */
export function partLook({ kind }: Part): string {
  return kind === 'plain' ? '' : 'font-semibold'
}

/** A name has a direction of its own, which turns nothing beside it. */
export function partDirection({ kind }: Part): 'auto' | undefined {
  return kind === 'who' ? 'auto' : undefined
}

// Two letters of Unicode's private use, which no text of a token shows: around a part's number.
const OPEN = '\uE000'
const CLOSE = '\uE001'

/** The place of a part in a message, whichever order its language has them in. */
export class Parts {
  readonly #parts: Part[] = []

  /** Takes a part in. @returns what stands for it in the message */
  put(part: Part): string {
    this.#parts.push(part)
    return `${OPEN}${this.#parts.length - 1}${CLOSE}`
  }

  /** A message with its parts put in. */
  read(message: string): Part[] {
    const pieces = message.split(new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'u'))
    return pieces.flatMap((piece, index): Part[] => {
      const part = index % 2 === 1 ? this.#parts[Number(piece)] : undefined
      if (part !== undefined) return [part]
      return piece === '' ? [] : [{ text: piece, kind: 'plain' }]
    })
  }
}
