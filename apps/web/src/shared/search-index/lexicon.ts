import type { SearchModule, TextKind } from './search-module.ts'

interface Kinds {
  readonly texts: TextKind
  /** Where the notes on texts go, if there are any. */
  readonly notes?: TextKind
}

/** Texts without duplicates, each with a number, and notes about them. */
export class Lexicon {
  readonly #module: SearchModule
  readonly #kinds: Kinds
  readonly #numbers = new Map<string, number>()
  readonly texts: string[] = []
  readonly #notes = new Map<number, string>()
  /** How many of the texts the module has. */
  #written = 0
  readonly #changedNotes = new Set<number>()

  constructor(module: SearchModule, kinds: Kinds) {
    this.#module = module
    this.#kinds = kinds
  }

  /** The number of a text. Assigns one if it is new. */
  number(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.texts.length
    this.#numbers.set(text, number)
    this.texts.push(text)
    return number
  }

  /** The number of a known text. */
  known(text: string): number | undefined {
    return this.#numbers.get(text)
  }

  text(number: number): string {
    return this.texts[number] ?? ''
  }

  /** Sets a note about a text, by which it can be found too. */
  note(text: string, note: string): void {
    const number = this.number(text)
    if ((this.#notes.get(number) ?? '') === note) return
    this.#notes.set(number, note)
    this.#changedNotes.add(number)
  }

  /** The note about a text. Empty if there is none. */
  noteOn(text: string): string {
    return this.#notes.get(this.#numbers.get(text) ?? -1) ?? ''
  }

  /** Writes new texts and notes to the module. */
  flush(): void {
    const { texts, notes } = this.#kinds
    const fresh = this.texts.slice(this.#written)
    const places = fresh.map((_, at) => this.#written + at)
    this.#module.putTexts(texts, places, fresh)
    if (notes !== undefined) {
      const changed = [...this.#changedNotes].filter((number) => number < this.#written)
      const all = [...changed, ...places]
      this.#module.putTexts(
        notes,
        all,
        all.map((number) => this.#notes.get(number) ?? ''),
      )
    }
    this.#written = this.texts.length
    this.#changedNotes.clear()
  }
}
