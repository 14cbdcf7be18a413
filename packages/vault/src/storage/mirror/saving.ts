/** A change that the database has. It is saved once the mirror has it too, or is known not to take it. */
export interface Saving {
  /** Resolves then, and never rejects. */
  readonly copied: Promise<void>
}

/** What needs no copy. */
export const NO_COPY: Saving = { copied: Promise.resolve() }

/** Resolves when it is saved. Rejects if the database didn't take it. */
export async function saved(saving: Promise<Saving>): Promise<void> {
  await (await saving).copied
}
