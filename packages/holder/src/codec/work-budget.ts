// Limits what one call may cost, whatever its input (docs/ucan.md, "Limits"). Work is charged before it is done, in
// billionths of a second on the reference machine, by what each piece takes in JavaScript (bench/holder.mjs).
import { refuse } from '../errors.ts'

/** Maximum work per call. */
export const MAX_WORK = 150_000_000

/** An unpacked byte. */
export const UNPACKED = 40
/** A byte of a text or a token, decoded and hashed. */
export const READ = 10
/** A value built. */
export const VALUE = 500
/** A letter of a path or a pattern, compiled. */
export const COMPILED = 60
/** A step of an evaluation or a search. */
export const STEP = 80
/** A compared byte, or a copied item. */
export const COMPARED = 4
/** A letter matched against a pattern. */
export const MATCHED = 14
/** An Ed25519 signature checked by WebCrypto. */
export const ED25519 = 300_000
/** A signature with P-256 or secp256k1 checked by ecdsa.ts. */
export const ECDSA = 2_300_000

/** The work that a call has left. */
export class Budget {
  #left: number

  constructor(work: number = MAX_WORK) {
    this.#left = work
  }

  /** Charges work. @throws HolderError TooMuchWork if not enough is left */
  spend(work: number): void {
    this.#left -= work
    if (this.#left < 0) refuse('TooMuchWork', 'This takes more work than one call may take.')
  }
}
