import type { Hint } from './store.ts'

/** Passes hints on to the callbacks that watch a store. */
export class Hints {
  readonly #watchers = new Set<(hint: Hint) => void>()

  watch(changed: (hint: Hint) => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  emit(hint: Hint): void {
    for (const changed of this.#watchers) changed(hint)
  }
}
