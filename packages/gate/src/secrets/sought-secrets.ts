import { writingsOf } from './encodings.ts'

/** Pieces of a secret from this length on are looked for. */
export const PIECE = 8

/** What is looked for in answers: secrets in all their writings. Adding one takes as long as its own pieces do, however many there are. */
export class SoughtSecrets {
  /** All pieces, and of how many writings each is. */
  readonly #pieces = new Map<string, number>()
  /** Most places in a text are no start of a piece by their first and last letter alone. */
  readonly #starts = new Uint8Array(1 << 16)
  /** Writings of letters and digits alone, by secret. */
  readonly #squeezed = new Map<string, readonly string[]>()

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.add(secret)
  }

  get isEmpty(): boolean {
    return this.#squeezed.size === 0
  }

  add(secret: string): void {
    if (this.#squeezed.has(secret)) return
    const writings = lowerWritings(secret)
    for (const piece of writings.flatMap(piecesOf)) {
      this.#pieces.set(piece, (this.#pieces.get(piece) ?? 0) + 1)
      this.#starts[endsAt(piece, 0)] = 1
    }
    const squeezed = new Set(writings.map(squeeze))
    this.#squeezed.set(
      secret,
      [...squeezed].filter(({ length }) => length >= PIECE),
    )
  }

  remove(secret: string): void {
    if (!this.#squeezed.delete(secret)) return
    for (const piece of lowerWritings(secret).flatMap(piecesOf)) {
      const count = this.#pieces.get(piece) ?? 0
      if (count > 1) this.#pieces.set(piece, count - 1)
      else this.#pieces.delete(piece)
    }
  }

  /** Whether a piece begins there. @param lower a text in lower case */
  hasPieceAt(lower: string, at: number): boolean {
    return this.#starts[endsAt(lower, at)] === 1 && this.#pieces.has(lower.slice(at, at + PIECE))
  }

  /** Whether a secret is in a text of letters and digits alone. */
  isIn(squeezed: string): boolean {
    for (const writings of this.#squeezed.values())
      if (writings.some((writing) => squeezed.includes(writing))) return true
    return false
  }
}

/** Ligatures that stand for up to 18 letters each. No credential has one, and an answer full of them would be very long without them. */
const LONG_LIGATURES = /[\u3300-\u3357\ufb50-\ufdff\ufe70-\ufefc]/g

/** Letters and digits alone: what is put between the pieces of a secret goes. */
export function squeeze(text: string): string {
  return text
    .replace(LONG_LIGATURES, '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Lower case finds a secret in capitals, and hex in both. */
function lowerWritings(secret: string): readonly string[] {
  return writingsOf(secret).map((writing) => writing.toLowerCase())
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(text.length - PIECE + 1, 0) }, (_, at) => text.slice(at, at + PIECE))
}

/** The first and the last letter of what could be a piece. */
function endsAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 255) << 8) | (text.charCodeAt(at + PIECE - 1) & 255)
}
