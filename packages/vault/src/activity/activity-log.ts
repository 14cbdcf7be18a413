import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import type { Act, LineDevice } from '../base/act.ts'
import type { Clock } from '../base/clock.ts'
import type { LocalValues } from '../base/local-values.ts'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import { callPlugin } from '../enclave/plugin.ts'
import type { MetadataRecord } from '../storage/schema.ts'

/** A line of the log. */
export interface ActivityLine extends Act {
  /** Its place in the log, from 1. Each device has a log of its own. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** The name of the tab that wrote it. */
  readonly tab: string
  /**
   * If two copies of the account diverged: a line from the merged backup, or one of ours that a longer log in the
   * backup replaced.
   */
  readonly source?: 'backup' | 'replaced'
  /** The device that says so, if it isn't this one. Its own log proves it, and this one doesn't. */
  readonly device?: LineDevice
}

/** The log of an account, checked. */
export interface Activity {
  /** This device's in the order they were written, with those of other devices between them by their time. */
  readonly lines: readonly ActivityLine[]
  /** Ranges of missing lines, both ends included. */
  readonly missing: readonly (readonly [from: number, to: number])[]
  /** Lines that were changed after they were written. */
  readonly rewritten: readonly number[]
}

/** Log lines are metadata with this prefix and the line's number. The plugin seals each line to that key. */
export const ACTIVITY_PREFIX = 'activity:'
/** Most actions waiting to be sealed; the oldest are dropped first. */
const MOST_NOTES = 200
const notesKeyOf = (address: string) => `keyhole:notes:${address}`

/** Maximum size of an entry as JSON, in bytes; the plugin accepts 2 KiB. */
const LONGEST_NOTE = 2_000
const LONGEST_TEXT = 300
const MOST_FACTS = 12
/** The last time that a date can be, in milliseconds since 1970. */
const LAST_DATE = 8.64e15

const shortText = v.pipe(v.string(), v.maxLength(LONGEST_TEXT))
const about = v.pipe(
  v.record(shortText, v.union([shortText, v.pipe(v.number(), v.safeInteger()), v.boolean()])),
  v.check((facts) => Object.keys(facts).length <= MOST_FACTS),
)
/** What the host writes into a line. */
export const entrySchema = v.object({
  at: v.pipe(v.number(), v.safeInteger(), v.minValue(-LAST_DATE), v.maxValue(LAST_DATE)),
  tab: shortText,
  act: shortText,
  outcome: shortText,
  about: v.exactOptional(about),
})
type Entry = v.InferOutput<typeof entrySchema>

/** Sealed lines, and the state to store with them in one transaction. */
export interface SealedLines {
  readonly status: EnclaveStatus
  readonly enclave: string
  readonly metadata: readonly MetadataRecord[]
}

/**
 * The log of what was done with an account. The plugin numbers, chains and seals the lines. Actions while the account
 * is locked, and refusals, are noted unsealed and sealed with the next line.
 */
export class ActivityLog {
  readonly #clock: Clock
  readonly #values: LocalValues
  /** This tab's name, in every line it writes. */
  readonly tab = crypto.randomUUID().slice(0, 8)
  readonly #sealing = new Map<string, number>()

  constructor(clock: Clock, values: LocalValues) {
    this.#clock = clock
    this.#values = values
  }

  /**
   * Seals lines, and the notes before them. The caller holds the account's write lock, stores both in one transaction,
   * and then calls `written` or rolls back.
   * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
   */
  async seal(enclave: Enclave, address: string, acts: readonly Act[] = []): Promise<SealedLines> {
    const notes = this.#notes(address)
    this.#sealing.set(address, notes.length)
    const entries = [...notes, ...acts.map((act) => this.#entry(act))]
    const result = await callPlugin(
      enclave,
      'log_activity',
      { entries },
      'Failed to write down what was done',
    )
    const now = this.#clock.now()
    const metadata = result.records.map(({ seq, sealed }) => {
      const key = `${ACTIVITY_PREFIX}${seq}`
      return { id: key, accountAddress: address, key, updatedAt: now, sealed }
    })
    return { status: result.status, enclave: result.enclave, metadata }
  }

  /** Deletes the notes that `seal` sealed, once they are stored. */
  written(address: string): void {
    const notes = this.#notes(address).slice(this.#sealing.get(address) ?? 0)
    this.#sealing.delete(address)
    this.#keep(address, notes)
  }

  /** Whether there are notes to seal. */
  hasNotes(address: string): boolean {
    return this.#notes(address).length > 0
  }

  /** Notes an action, unsealed, until the next line is sealed. Never fails. */
  note(address: string, act: Act): void {
    this.#keep(address, [...this.#notes(address), this.#entry(act)].slice(-MOST_NOTES))
  }

  /** Forgets the notes of a removed account. */
  forget(address: string): void {
    this.#values.remove(notesKeyOf(address))
  }

  #entry({ act, outcome, about: of }: Act): Entry {
    return { at: Math.floor(this.#clock.now()), tab: this.tab, act, outcome, ...(of && { about: of }) }
  }

  #notes(address: string): Entry[] {
    const text = this.#values.read(notesKeyOf(address))
    if (text === undefined) return []
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), v.array(v.unknown())), text)
    if (!parsed.success) return []
    // Someone may have tampered with the notes. The plugin would refuse an invalid one and block every action, so those
    // are dropped.
    return parsed.output
      .filter((note): note is Entry => v.is(entrySchema, note) && bytesOf(note) <= LONGEST_NOTE)
      .slice(-MOST_NOTES)
  }

  #keep(address: string, notes: readonly Entry[]): void {
    if (notes.length === 0) this.#values.remove(notesKeyOf(address))
    else this.#values.write(notesKeyOf(address), JSON.stringify(notes))
  }
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}

/** A log line's number, from its metadata key; undefined for other metadata. */
export function seqOf(key: string): number | undefined {
  if (!key.startsWith(ACTIVITY_PREFIX)) return undefined
  const digits = key.slice(ACTIVITY_PREFIX.length)
  return /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : undefined
}
