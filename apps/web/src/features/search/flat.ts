/** No text that is scanned has this in it, so that no find runs from one text into the next. */
const APART = '\n'

/** Texts laid out as one string in lower case, to be scanned for one another word without looking at each of them. */
export class Flat {
  readonly #hay: string
  /** Where each text begins; one more at the end. */
  readonly #starts: Uint32Array

  constructor(texts: readonly string[]) {
    const starts = new Uint32Array(texts.length + 1)
    const lower = new Array<string>(texts.length)
    let at = 0
    for (let index = 0; index < texts.length; index += 1) {
      starts[index] = at
      const text = asHay(texts[index] ?? '')
      lower[index] = text
      at += text.length + APART.length
    }
    starts[texts.length] = at
    this.#starts = starts
    this.#hay = lower.join(APART)
  }

  /** Marks, of the texts with a 1 in `among`, those that a word in lower case is in: where few are left, each by itself. */
  markAmong(word: string, hits: Uint8Array, among: Uint8Array): void {
    for (let index = 0; index < among.length; index += 1) {
      if (among[index] === 0) continue
      const end = (this.#starts[index + 1] ?? 0) - APART.length
      if (this.#hay.substring(this.#starts[index] ?? 0, end).includes(word)) hits[index] = 1
    }
  }

  /** Marks with a 1 in `hits` every text that a word in lower case is in. */
  mark(word: string, hits: Uint8Array): void {
    const hay = this.#hay
    const starts = this.#starts
    let index = 0
    let at = hay.indexOf(word)
    while (at !== -1) {
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
      hits[index] = 1
      at = hay.indexOf(word, starts[index + 1])
    }
  }
}

/** A text as it is scanned. */
export function asHay(text: string): string {
  return text.toLowerCase().replaceAll(APART, ' ')
}

/** Different texts, each kept once and known by its number, with what else may be said of it. */
export class Lexicon {
  readonly #numbers = new Map<string, number>()
  readonly texts: string[] = []
  readonly #notes: string[] = []
  #flat: { texts: Flat; notes: Flat } | undefined

  /** The number of a text; a new one where it is not known yet. */
  number(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.texts.length
    this.#numbers.set(text, number)
    this.texts.push(text)
    this.#notes.push('')
    this.#flat = undefined
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
    this.#flat = undefined
  }

  /** Which texts a word is in: those themselves from `least` letters on, what is said of them always. */
  hits(word: string, least = 0): Uint8Array {
    this.#flat ??= { texts: new Flat(this.texts), notes: new Flat(this.#notes) }
    const hits = new Uint8Array(this.texts.length)
    if (word.length >= least) this.#flat.texts.mark(word, hits)
    this.#flat.notes.mark(word, hits)
    return hits
  }
}
