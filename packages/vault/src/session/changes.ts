import type { Enclave, EnclaveAnswer, EnclaveExport, EnclaveInput } from '@keyhole/enclave'
import type { Act, ActivityAbout } from '../base/act.ts'
import { leftError, noVault, refused } from '../base/errors.ts'
import type { EnclaveStatus, SealedResult } from '../enclave/enclave-status.ts'
import { openSealed } from '../enclave/open-sealed.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { revisionOf } from '../enclave/revision.ts'
import type { StateBatch } from '../storage/account/account-storage.ts'
import { readOnlyError } from '../storage/read-only.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import type { UnlockProof } from '../unlock/unlock-proof.ts'
import type { VaultContext } from './context.ts'

/** The exports that answer with a new sealed state. */
export type ChangingExport = {
  [Name in EnclaveExport]: EnclaveAnswer<Name> extends SealedResult ? Name : never
}[EnclaveExport]

/** What an export takes besides a proof. */
type InputOf<Name extends EnclaveExport> = Omit<EnclaveInput<Name>, 'proof'>

/** A change to the sealed state, and what is to be kept of it. */
export interface Change<Name extends ChangingExport> {
  /** The operation, as the log names it. */
  readonly act: string
  readonly name: Name
  /** What it takes; made with the write lock held, where it depends on what is stored. */
  readonly input: InputOf<Name> | (() => Promise<InputOf<Name>>)
  /** What to say where the call itself fails. */
  readonly failure: string
  /** Checked with the call: it becomes the input's `proof`, and a wrong one is counted. */
  readonly proof?: UnlockProof
  /** What the line in the log is about. */
  readonly about?: (result: EnclaveAnswer<Name>) => ActivityAbout
  /** What it signs counts once it is handed out: as soon as the change is stored, the enclave takes it back no more. */
  readonly settles?: boolean
  /** Records to write in the same transaction. */
  readonly prepare?: (result: EnclaveAnswer<Name>) => Promise<StateBatch>
}

/** What the log calls the deletion of what has expired. */
const CLEAN_UP = 'cleanUp'

/** The writing side of an account: every change goes through here, alone among all writers, with its line in the log. */
export class Changes {
  readonly #context: VaultContext

  constructor(context: VaultContext) {
    this.#context = context
  }

  /**
   * Changes the account: calls the export, and stores the sealed state it returns, what `prepare` makes of the result,
   * and the line in the log in one transaction. Where that fails the enclave takes the change back.
   */
  async mutate<Name extends ChangingExport>(change: Change<Name>): Promise<EnclaveAnswer<Name>> {
    const { enclave } = this.#context.client
    return await this.#alone(async (address) => {
      const { name, failure, proof } = change
      // UnlockProof and the rest together are what the export takes.
      const call = (given: object) => callPlugin(enclave, name, given as EnclaveInput<Name>, failure)
      const input = typeof change.input === 'function' ? await change.input() : change.input
      const result =
        proof === undefined
          ? await call(input)
          : await this.#context.prove(address, proof, (given) => call({ ...input, proof: given }))
      const act = () => ({
        ...{ act: change.act, outcome: 'done' },
        ...(change.about && { about: change.about(result) }),
      })
      await this.#store(enclave, address, result, act, async () => change.prepare?.(result))
      if (change.settles) await settle(enclave, result.status.revision ?? 0)
      return result
    })
  }

  /**
   * Stores records, with a line in the log that says why, in one transaction; a full disk refuses both. Where nothing
   * outlives the page it does nothing.
   *
   * @param batch the records; made with the write lock held, where they depend on what is stored
   * @param enclave of the account that it is for; default: the one that is open
   * @throws VaultError OPERATION_FAILED where another account is open by now: nothing was stored then
   */
  async record(
    act: string,
    about: ActivityAbout,
    batch: StateBatch | (() => Promise<StateBatch>) = {},
    enclave = this.#context.client.enclave,
  ): Promise<void> {
    if (!this.#context.isPersistent) return
    await this.#alone(
      (address) =>
        this.#store(
          enclave,
          address,
          undefined,
          () => ({ act, outcome: 'done', about }),
          async () => (typeof batch === 'function' ? await batch() : batch),
        ),
      enclave,
    )
  }

  /** As `record`, for an act that has been done by now: where no line can be stored, it is noted. Never fails. */
  async mention(act: string, about: ActivityAbout): Promise<void> {
    const { address } = this.#context.snapshot
    if (address === undefined || !this.#context.isPersistent) return
    try {
      await this.record(act, about)
    } catch {
      this.#context.log.note(address, { act, outcome: 'done', about })
    }
  }

  /** Deletes what has expired, with its line in the log: in one transaction while unlocked, else noted. */
  async expire(about: ActivityAbout, batch: StateBatch): Promise<void> {
    const { client, log, snapshot } = this.#context
    if (snapshot.phase === 'unlocked') {
      try {
        return await this.record(CLEAN_UP, about, batch)
      } catch (error) {
        // Locked in the meantime. Anything else, a full disk say, leaves all as it was.
        if (this.#context.snapshot.phase === 'unlocked') throw error
      }
    }
    const { storage } = client
    await withWriteLock(storage.address, () => storage.writeBatch(batch))
    log.note(storage.address, { act: CLEAN_UP, outcome: 'done', about })
  }

  /** Writes down what was noted, as far as there is something, and room for it. The caller holds the write lock. */
  async settle(
    enclave: Enclave,
    address: string,
    act?: { act: string; about: ActivityAbout },
    batch: () => Promise<StateBatch> = async () => ({}),
  ): Promise<void> {
    const line: Act | undefined = act && { ...act, outcome: 'done' }
    try {
      if (this.#context.client.isCopy) throw readOnlyError()
      await this.#store(enclave, address, undefined, line && (() => line), batch)
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

  /** Stores a change that the enclave has made (or none) with a line in the log, or takes all of it back. */
  async #store(
    enclave: Enclave,
    address: string,
    made: SealedResult | undefined,
    act: (() => Act) | undefined,
    prepare: () => Promise<StateBatch | undefined>,
  ): Promise<void> {
    const { client, log, isPersistent } = this.#context
    const statuses: EnclaveStatus[] = made ? [made.status] : []
    try {
      const batch = (await prepare()) ?? {}
      const isLogged = isPersistent && (act !== undefined || log.hasNotes(address))
      const lines = isLogged ? await log.seal(enclave, address, act?.()) : undefined
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
   * Where each tab has its own enclave, another one may have moved on: this one follows before it writes. Where they
   * share one, a tab that died between change and disk may have left it ahead: what nobody was told is taken back.
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
   * An enclave that has outlived the database may hold what came back from the second copy unlocked, as it was: then
   * nothing has suspended its mandates.
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
      // It has been locked since, say: then the next change carries along what was left.
    }
  }

  /** Takes back what could not be saved, newest first. Where that fails too, the account is locked at what is stored. */
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

  /** Shows the status of an enclave, unless its account has been left. */
  #show(enclave: Enclave, status: EnclaveStatus): void {
    if (this.#context.client.holds(enclave)) this.#context.apply(status)
  }
}

/** Fails where the enclave may not have heard it: then what was signed is not handed out, and stays counted. */
async function settle(enclave: Enclave, revision: number): Promise<void> {
  await callPlugin(enclave, 'settle_payment', { revision }, 'Failed to hand out the authorisation')
}
