import type { FieldLimit } from './field-limit.ts'

/** A field's limit, and what it adds to a policy. */
export interface ChosenLimit {
  readonly limit: FieldLimit
  /** Empty while it isn't finished. */
  readonly statements: readonly unknown[]
  readonly isFinished: boolean
  /** Whether it replaces the one value that the request sets. */
  readonly isInstead: boolean
}

/** What a person chose for a tool's fields, by their selectors. */
export type ChosenLimits = Readonly<Record<string, ChosenLimit>>
