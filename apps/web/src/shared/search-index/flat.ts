/** No text that is scanned has this in it, so that no find runs from one text into the next. */
const APART = '\n'
/** Texts laid out together: few enough that one that changes costs little, enough that scanning is all that costs. */
const BLOCK = 4_096
/** Letters of a word that are scanned for. The rest is compared where they are: engines are quickest with short words. */
const HEAD = 6

interface Block {
  readonly hay: string
  /** Where each text begins; one more at the end. */
  readonly starts: Uint32Array
}

/** Texts laid out in lower case, to be scanned for one another word without looking at each of them. */
export class Flat {
  readonly #texts: string[] = []
  /** Undefined where a text has changed since it was laid out. */
  readonly #blocks: (Block | undefined)[] = []

  constructor(texts: readonly string[] = []) {
    for (const [at, text] of texts.entries()) this.set(at, text)
  }

  /** Puts a text in a place: that of another one, or the next. */
  set(at: number, text: string): void {
    const isNext = at === this.#texts.length
    const block = Math.floor(at / BLOCK)
    this.#texts[at] = asHay(text)
    this.#blocks[block] = undefined
    // A full block is laid out while others are still being read.
    if (isNext && (at + 1) % BLOCK === 0) this.#block(block)
  }

  /** Marks, of the texts with a 1 in `among`, those that a word in lower case is in: where few are left, each by itself. */
  markAmong(word: string, hits: Uint8Array, among: Uint8Array): void {
    for (let at = 0; at < among.length; at += 1)
      if (among[at] === 1 && this.#texts[at]?.includes(word)) hits[at] = 1
  }

  /** Marks with a 1 in `hits` every text that a word in lower case is in. */
  mark(word: string, hits: Uint8Array): void {
    const blocks = Math.ceil(this.#texts.length / BLOCK)
    for (let at = 0; at < blocks; at += 1) markIn(this.#block(at), word, hits, at * BLOCK)
  }

  #block(at: number): Block {
    const block = this.#blocks[at] ?? laidOut(this.#texts.slice(at * BLOCK, (at + 1) * BLOCK))
    this.#blocks[at] = block
    return block
  }
}

function laidOut(texts: readonly string[]): Block {
  const starts = new Uint32Array(texts.length + 1)
  let at = 0
  for (let index = 0; index < texts.length; index += 1) {
    starts[index] = at
    at += (texts[index] ?? '').length + APART.length
  }
  starts[texts.length] = at
  return { hay: texts.join(APART), starts }
}

function markIn({ hay, starts }: Block, word: string, hits: Uint8Array, first: number): void {
  const head = word.slice(0, HEAD)
  const whole = head === word
  let index = 0
  let at = hay.indexOf(head)
  while (at !== -1) {
    if (!whole && !hay.startsWith(word, at)) {
      at = hay.indexOf(head, at + 1)
      continue
    }
    // What was found lies further on than the last: the text that it is in is looked for from there, in growing steps.
    let step = 1
    while (index + step < starts.length && (starts[index + step] ?? 0) <= at) {
      index += step
      step *= 2
    }
    while (step > 1) {
      step /= 2
      if (index + step < starts.length && (starts[index + step] ?? 0) <= at) index += step
    }
    hits[first + index] = 1
    at = hay.indexOf(head, starts[index + 1])
  }
}

/** A text as it is scanned. */
export function asHay(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes(APART) ? lower.replaceAll(APART, ' ') : lower
}

/** Different texts, each kept once and known by its number, with what else may be said of it. */
export class Lexicon {
  readonly #numbers = new Map<string, number>()
  readonly texts: string[] = []
  readonly #notes: string[] = []
  readonly #flatTexts = new Flat()
  readonly #flatNotes = new Flat()
  #edition = 0

  /** Another one whenever something else may be found. */
  get edition(): number {
    return this.#edition
  }

  /** The number of a text; a new one where it is not known yet. */
  number(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.texts.length
    this.#numbers.set(text, number)
    this.texts.push(text)
    this.#notes.push('')
    this.#flatTexts.set(number, text)
    this.#flatNotes.set(number, '')
    this.#edition += 1
    return number
  }

  /** The number of a text that is known. */
  known(text: string): number | undefined {
    return this.#numbers.get(text)
  }

  text(number: number): string {
    return this.texts[number] ?? ''
  }

  /** Says something else of a text, by which it is found too. */
  note(text: string, note: string): void {
    const number = this.number(text)
    if (this.#notes[number] === note) return
    this.#notes[number] = note
    this.#flatNotes.set(number, note)
    this.#edition += 1
  }

  /** Which texts a word is in: those themselves from `least` letters on, what is said of them always. */
  hits(word: string, least = 0): Uint8Array {
    const hits = new Uint8Array(this.texts.length)
    if (word.length >= least) this.#flatTexts.mark(word, hits)
    this.#flatNotes.mark(word, hits)
    return hits
  }
}
