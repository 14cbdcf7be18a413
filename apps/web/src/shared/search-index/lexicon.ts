import type { SearchModule, TextKind } from './search-module.ts'

interface Kinds {
  readonly texts: TextKind
  /** Where what else is said of each is kept, if anything is. */
  readonly notes?: TextKind
}

/** Different texts, each kept once and known by its number, with what else may be said of it. */
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

  /** The number of a text; a new one where it is not known yet. */
  number(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.texts.length
    this.#numbers.set(text, number)
    this.texts.push(text)
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
    if ((this.#notes.get(number) ?? '') === note) return
    this.#notes.set(number, note)
    this.#changedNotes.add(number)
  }

  /** Writes what is new to the module. */
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
