import type { AnyExport, Enclave, EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import type { Act, ActivityAbout } from '../base/act.ts'
import { leftError, noVault, refused } from '../base/errors.ts'
import type { EnclaveStatus, SealedResult } from '../enclave/enclave-status.ts'
import { openSealed } from '../enclave/open-sealed.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { revisionOf } from '../enclave/revision.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import { readOnlyError } from '../storage/read-only.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import type { UnlockProof } from '../unlock/unlock-proof.ts'
import type { VaultContext } from './context.ts'
import { joinedBatch, type LoggedRecords, WaitingRecords } from './waiting-records.ts'

/** The exports that return a new sealed state. */
export type ChangingExport = {
  [Name in AnyExport]: EnclaveAnswer<Name> extends SealedResult ? Name : never
}[AnyExport]

/** Calls an export, and checks what it answers. */
export type CallExport<Name extends AnyExport> = (
  enclave: Enclave,
  name: Name,
  input: EnclaveInput<Name>,
  failure: string,
) => Promise<EnclaveAnswer<Name>>

/** An export's input without the proof. */
type InputOf<Name extends AnyExport> = Omit<EnclaveInput<Name>, 'proof'>

/** A change to the sealed state, and what to store with it. */
export interface Change<Name extends ChangingExport> {
  /** The operation, as the log names it. */
  readonly act: string
  readonly name: Name
  /** The input; a function is called under the write lock, for input that depends on stored data. */
  readonly input: InputOf<Name> | (() => Promise<InputOf<Name>>)
  /** The error's text if the call itself fails. */
  readonly failure: string
  /** How it is called. An export for devices needs its own. Default: `callPlugin` */
  readonly by?: CallExport<Name>
  /** Checked by the call: it becomes the input's `proof`, and a wrong one is counted. */
  readonly proof?: UnlockProof
  /** What the log line is about. */
  readonly about?: (result: EnclaveAnswer<Name>) => ActivityAbout
  /**
   * Set if the signed result can be used once it's handed out: after storing, the enclave no longer allows a rollback.
   */
  readonly settles?: boolean
  /** Records to write in the same transaction. */
  readonly prepare?: (result: EnclaveAnswer<Name>) => Promise<StateBatch>
}

/**
 * Makes a change for all devices of the account, through a head.
 * @returns undefined if the change is made here alone: the account is on one device, or each device does it for itself
 */
export type ChangeByHead = <Name extends ChangingExport>(
  change: Change<Name>,
) => Promise<EnclaveAnswer<Name>> | undefined

/** The log's name for deleting what has expired. */
const CLEAN_UP = 'cleanUp'

/** Writes to an account. Every change goes through here, one at a time, with its log line. */
export class Changes {
  /** Set once by `sync/devices.ts`. Until then accounts are on one device, and nothing for several is loaded. */
  byHead: ChangeByHead | undefined
  readonly #context: VaultContext
  readonly #waiting = new WaitingRecords((first, take) => this.#storeTogether(first, take))

  constructor(context: VaultContext) {
    this.#context = context
  }

  /**
   * Changes the account: calls the export, then stores the sealed state it returns, the records from `prepare` and the
   * log line in one transaction. If that fails, the enclave rolls back. Of an account on several devices, all of them
   * have to learn of some changes first: those are made by `byHead`.
   */
  async mutate<Name extends ChangingExport>(change: Change<Name>): Promise<EnclaveAnswer<Name>> {
    return await (this.byHead?.(change) ?? this.mutateHere(change))
  }

  /** Like `mutate`, on this device alone, whatever other devices have to learn. */
  async mutateHere<Name extends ChangingExport>(change: Change<Name>): Promise<EnclaveAnswer<Name>> {
    const { enclave } = this.#context.client
    return await this.#alone(async (address) => {
      const { name, failure, proof, by = callPlugin as CallExport<Name> } = change
      // The proof and the rest together are the export's input.
      const call = (given: object) => by(enclave, name, given as EnclaveInput<Name>, failure)
      const input = typeof change.input === 'function' ? await change.input() : change.input
      const result =
        proof === undefined
          ? await call(input)
          : await this.#context.prove(address, proof, (given) => call({ ...input, proof: given }))
      const acts = () => [
        {
          ...{ act: change.act, outcome: 'done' },
          ...(change.about && { about: change.about(result) }),
        },
      ]
      await this.#store(enclave, address, result, acts, async () => change.prepare?.(result))
      if (change.settles) await settle(enclave, result.status.revision ?? 0)
      return result
    })
  }

  /**
   * Stores records and the log line that explains them in one transaction; if the disk is full, neither is stored. Does
   * nothing without persistence. Those that wait for the lock at the same time share a transaction.
   * @param batch the records; a function is called under the write lock, for records that depend on stored data
   * @param enclave the account's, taken before anything was waited for
   * @throws VaultError OPERATION_FAILED if another account is open by now: nothing was stored
   */
  async record(
    act: string,
    about: ActivityAbout,
    batch: StateBatch | (() => Promise<StateBatch>),
    enclave: Enclave,
  ): Promise<void> {
    if (!this.#context.isPersistent) return
    const { address } = this.#context.snapshot
    const line: Act = { act, outcome: 'done', about }
    if (typeof batch === 'function') {
      await this.#alone((owner) => this.#store(enclave, owner, undefined, () => [line], batch), enclave)
    } else {
      if (address === undefined) throw noVault()
      await this.#waiting.store({ address, enclave, line, batch })
    }
  }

  /** Like `record`, for something already done: if the line can't be stored, it is noted for later. Never fails. */
  async mention(act: string, about: ActivityAbout): Promise<void> {
    const { address } = this.#context.snapshot
    if (address === undefined || !this.#context.isPersistent) return
    try {
      await this.record(act, about, {}, this.#context.client.enclave)
    } catch {
      this.#context.log.note(address, { act, outcome: 'done', about })
    }
  }

  /** Deletes what has expired. Unlocked, the log line goes in the same transaction; locked, it is noted for later. */
  async expire(about: ActivityAbout, batch: StateBatch): Promise<void> {
    const { client, log, snapshot } = this.#context
    const { enclave, storage } = client
    if (snapshot.phase === 'unlocked') {
      try {
        return await this.record(CLEAN_UP, about, batch, enclave)
      } catch (error) {
        // If it was locked in the meantime, go on below. Any other failure, such as a full disk, left everything as it
        // was.
        if (!client.holds(enclave) || this.#context.snapshot.phase === 'unlocked') throw error
      }
    }
    await withWriteLock(storage.address, async () => {
      if (!client.holds(enclave)) throw leftError()
      await storage.writeBatch(batch)
    })
    log.note(storage.address, { act: CLEAN_UP, outcome: 'done', about })
  }

  /** Writes down noted lines, if there are any and they fit. The caller holds the write lock. */
  async settle(
    enclave: Enclave,
    address: string,
    act?: { act: string; about: ActivityAbout },
    batch: () => Promise<StateBatch> = async () => ({}),
  ): Promise<void> {
    const line: Act | undefined = act && { ...act, outcome: 'done' }
    try {
      if (this.#context.client.isCopy) throw readOnlyError()
      await this.#store(enclave, address, undefined, line && (() => [line]), batch)
    } catch {
      if (line) this.#context.log.note(address, line)
    }
  }

  async #alone<T>(work: (address: string) => Promise<T>, enclave = this.#context.client.enclave): Promise<T> {
    const { address } = this.#context.snapshot
    if (address === undefined) throw noVault()
    return await withWriteLock(address, async () => {
      const { accountAddress = address } = this.#context.client
      if (!this.#context.client.holds(enclave) || accountAddress !== address) throw leftError()
      if (this.#context.client.isCopy) throw readOnlyError()
      await this.#requireNewest(enclave)
      return await work(address)
    })
  }

  /** Stores records of several callers, or none of them. */
  async #storeTogether(
    { address, enclave }: LoggedRecords,
    take: () => readonly LoggedRecords[],
  ): Promise<void> {
    await this.#alone(async (owner) => {
      if (owner !== address) throw leftError()
      const all = take()
      const lines = () => all.map(({ line }) => line)
      await this.#store(enclave, address, undefined, lines, async () => joinedBatch(all))
    }, enclave)
  }

  /** Stores a change of the enclave, if any, with log lines, or rolls everything back. */
  async #store(
    enclave: Enclave,
    address: string,
    made: SealedResult | undefined,
    acts: (() => readonly Act[]) | undefined,
    prepare: () => Promise<StateBatch | undefined>,
  ): Promise<void> {
    const { client, log, isPersistent } = this.#context
    const statuses: EnclaveStatus[] = made ? [made.status] : []
    try {
      const batch = (await prepare()) ?? {}
      const isLogged = isPersistent && (acts !== undefined || log.hasNotes(address))
      const lines = isLogged ? await log.seal(enclave, address, acts?.()) : undefined
      if (lines) statuses.push(lines.status)
      const sealed = lines?.enclave ?? made?.enclave
      if (sealed === undefined) return
      const metadata = [...(batch.metadata ?? []), ...(lines?.metadata ?? [])]
      await client.saveSealedState(enclave, sealed, { ...batch, metadata })
      if (lines) log.written(address)
    } catch (error) {
      await this.#takeBack(enclave, statuses)
      throw error
    }
    const last = statuses.at(-1)
    if (last) this.#show(enclave, last)
  }

  /**
   * Brings the enclave to the stored revision before a write. With one enclave per tab, another tab may have written
   * since. With a shared one, a tab that died before storing may have left it ahead; no one was told about that change,
   * so it is rolled back.
   */
  async #requireNewest(enclave: Enclave): Promise<void> {
    const sealed = await this.#context.client.newestState()
    const { phase, revision } = this.#context.snapshot
    if (sealed === undefined) return
    const stored = revisionOf(sealed) ?? 0
    if (stored < revision) await this.#takeBackTo(stored, enclave)
    if (stored > revision) this.#show(enclave, await openSealed(enclave, sealed))
    await this.#requireSuspended(enclave, sealed)
    if (stored <= revision) return
    if (phase !== 'unlocked' || this.#context.snapshot.phase === 'unlocked') return
    throw refused('UnlockedOtherwise')
  }

  /**
   * A database restored from the second copy may be older than an enclave that stayed unlocked. Its mandates weren't
   * suspended then, so it has to be unlocked again.
   */
  async #requireSuspended(enclave: Enclave, sealed: string): Promise<void> {
    const { client, snapshot } = this.#context
    const { phase, revision } = snapshot
    if (phase !== 'unlocked' || !client.isBehind(sealed) || revision > (revisionOf(sealed) ?? 0)) return
    await this.#context.reopen(enclave)
    throw refused('BroughtBack')
  }

  async #takeBackTo(stored: number, enclave: Enclave): Promise<void> {
    const failure = 'Failed to take back an unsaved change'
    try {
      let { revision } = this.#context.snapshot
      while (revision > stored) {
        const { status } = await callPlugin(enclave, 'rollback_vault', { revision }, failure)
        this.#show(enclave, status)
        revision = status.revision ?? 0
      }
    } catch {
      // For example, it was locked in the meantime. Then the next change stores this one as well.
    }
  }

  /**
   * Rolls back what could not be saved, newest first. If that fails too, the account goes back to its stored state,
   * locked.
   */
  async #takeBack(enclave: Enclave, made: readonly EnclaveStatus[]): Promise<void> {
    const failure = 'Failed to take back an unsaved change'
    try {
      for (const { revision = 0 } of made.toReversed()) {
        const { status } = await callPlugin(enclave, 'rollback_vault', { revision }, failure)
        this.#show(enclave, status)
      }
    } catch {
      await this.#context.reopen(enclave)
    }
  }

  /** Shows an enclave's status, unless its account was left. */
  #show(enclave: Enclave, status: EnclaveStatus): void {
    if (this.#context.client.holds(enclave)) this.#context.apply(status)
  }
}

/** Fails if the enclave may not have got the message: then the signed result is not handed out, but stays counted. */
async function settle(enclave: Enclave, revision: number): Promise<void> {
  await callPlugin(enclave, 'settle_payment', { revision }, 'Failed to hand out the authorisation')
}
