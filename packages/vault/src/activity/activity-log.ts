import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import type { Act } from '../base/act.ts'
import type { Clock } from '../base/clock.ts'
import type { LocalValues } from '../base/local-values.ts'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import { callPlugin } from '../enclave/plugin.ts'
import type { MetadataRecord } from '../storage/schema.ts'

/** A line of the log. */
export interface ActivityLine extends Act {
  /** Its place in the log, from 1. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** A name for the tab that it was done in. */
  readonly tab: string
  /**
   * Where two copies of the account went different ways: a line of the backup that was merged, or one of ours whose
   * place a line of a longer log in the backup has taken.
   */
  readonly source?: 'backup' | 'replaced'
}

/** The log of an account, checked. */
export interface Activity {
  /** In the order in which they were written. */
  readonly lines: readonly ActivityLine[]
  /** Lines that should be there and are not: first and last, both included. */
  readonly missing: readonly (readonly [from: number, to: number])[]
  /** Lines that are not as they were written. */
  readonly rewritten: readonly number[]
}

/** The metadata of the log: this, and the line's number. It is what the plugin seals each line to. */
export const ACTIVITY_PREFIX = 'activity:'
/** Acts that wait to be sealed; the oldest go first. */
const MOST_NOTES = 200
const notesKeyOf = (address: string) => `keyhole:notes:${address}`

/** Of an entry as JSON, in bytes: the plugin takes 2 KiB. */
const LONGEST_NOTE = 2_000
const LONGEST_TEXT = 300
const MOST_FACTS = 12

const shortText = v.pipe(v.string(), v.maxLength(LONGEST_TEXT))
const about = v.pipe(
  v.record(shortText, v.union([shortText, v.pipe(v.number(), v.safeInteger()), v.boolean()])),
  v.check((facts) => Object.keys(facts).length <= MOST_FACTS),
)
/** What the host puts into a line. */
export const entrySchema = v.object({
  at: v.pipe(v.number(), v.safeInteger()),
  tab: shortText,
  act: shortText,
  outcome: shortText,
  about: v.exactOptional(about),
})
type Entry = v.InferOutput<typeof entrySchema>

/** Lines that were sealed, and the state that goes into the same transaction with them. */
export interface SealedLines {
  readonly status: EnclaveStatus
  readonly enclave: string
  readonly metadata: readonly MetadataRecord[]
}

/**
 * The log of what was done with an account. The plugin numbers, chains and seals the lines. What is done while the
 * account is locked, and what was refused, is noted in the clear beside it and sealed with the next line.
 */
export class ActivityLog {
  readonly #clock: Clock
  readonly #values: LocalValues
  /** A name for this tab, in every line that it writes. */
  readonly tab = crypto.randomUUID().slice(0, 8)
  readonly #sealing = new Map<string, number>()

  constructor(clock: Clock, values: LocalValues) {
    this.#clock = clock
    this.#values = values
  }

  /**
   * Seals a line, and what was noted before it. The caller holds the account's write lock, stores both in one
   * transaction, and says `written` or takes the change back.
   *
   * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
   */
  async seal(enclave: Enclave, address: string, act?: Act): Promise<SealedLines> {
    const notes = this.#notes(address)
    this.#sealing.set(address, notes.length)
    const entries = act === undefined ? notes : [...notes, this.#entry(act)]
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

  /** What `seal` sealed is stored: the notes among it go. */
  written(address: string): void {
    const notes = this.#notes(address).slice(this.#sealing.get(address) ?? 0)
    this.#sealing.delete(address)
    this.#keep(address, notes)
  }

  /** Whether something waits to be sealed. */
  hasNotes(address: string): boolean {
    return this.#notes(address).length > 0
  }

  /** Notes an act in the clear until the next line is sealed. Never fails. */
  note(address: string, act: Act): void {
    this.#keep(address, [...this.#notes(address), this.#entry(act)].slice(-MOST_NOTES))
  }

  /** Forgets what was noted of an account that is gone. */
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
    // Somebody may have spoilt some of them; one that the plugin refuses would stand in the way of every act.
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

/** The number of a line of the log from its metadata's key; undefined for any other metadata. */
export function seqOf(key: string): number | undefined {
  if (!key.startsWith(ACTIVITY_PREFIX)) return undefined
  const digits = key.slice(ACTIVITY_PREFIX.length)
  return /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : undefined
}
