import type { Enclave } from '@keyhole/enclave'
import { leftError, noVault } from '../base/errors.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { revisionOf } from '../enclave/revision.ts'
import { publicHalfOf, RECOVERY_CODE_ID, recoveryCodeRecord } from '../storage/account/recovery-code.ts'
import { isLeaving } from '../storage/devices/device-marks.ts'
import { ifWriteLockFree, withWriteLock } from '../storage/write-lock.ts'
import { kindOf, type UnlockProof } from '../unlock/unlock-proof.ts'
import type { Changes } from './changes.ts'
import type { VaultContext } from './context.ts'
import type { Following } from './following.ts'

/** Unlocks and locks the open account. */
export class Locking {
  readonly #context: VaultContext
  readonly #changes: Changes
  readonly #following: Following

  constructor(context: VaultContext, changes: Changes, following: Following) {
    this.#context = context
    this.#changes = changes
    this.#following = following
  }

  async unlock(proof: UnlockProof): Promise<void> {
    const context = this.#context
    const { address } = context.snapshot
    if (address === undefined) throw noVault()
    const { enclave } = context.client
    await withWriteLock(address, async () => {
      if (!context.client.holds(enclave)) throw leftError()
      await this.#following.refresh(false)
      await this.#dropUnsaved()
      // `refresh` just read it, so it's the newest stored state.
      const sealed = context.client.sealedState
      const input = sealed !== undefined && context.client.isBehind(sealed) ? { suspend_mandates: true } : {}
      const failure = 'Failed to unlock the vault'
      const { status, enclave: changed } = await context.prove(address, proof, (given) =>
        callPlugin(enclave, 'unlock_vault', { ...input, proof: given }, failure),
      )
      if (!context.client.holds(enclave)) throw leftError()
      context.apply(status)
      context.autoLock.use()
      // If this save fails, the older state still opens, and suspends the same mandates again.
      if (changed && !context.client.isCopy) {
        await context.client
          .saveSealedState(enclave, changed)
          .catch((error) => context.report(error, 'unlock'))
      }
      const about = { by: kindOf(proof) }
      if (!context.isPersistent) return
      await this.#leaveDevices(enclave)
      // Typing the code proves that the person has kept it.
      const hasCode = kindOf(proof) === 'recovery_code'
      const kept = { confirmed: true, of: publicHalfOf(context.client.sealedState) }
      const keep = async () => {
        if (!hasCode) return {}
        const now = await context.laterThanStored(RECOVERY_CODE_ID)
        return { metadata: [await recoveryCodeRecord(enclave, address, kept, now)] }
      }
      await this.#changes.settle(enclave, address, { act: 'unlock', about }, keep)
    })
  }

  /** An account from a file must not go on as the device that the file came from. If it can't leave now, it does so later. */
  async #leaveDevices(enclave: Enclave): Promise<void> {
    const context = this.#context
    try {
      const { storage } = context.client
      if (storage.isCopy || !(await isLeaving(storage))) return
      const { leaveDevices } = await import('./leave-devices.ts')
      await leaveDevices(context, enclave)
    } catch (error) {
      context.report(error, 'unlock')
    }
  }

  /** Drops a change that a tab left in a shared enclave when it died before storing it. No one was told about it. */
  async #dropUnsaved(): Promise<void> {
    const { client, snapshot } = this.#context
    const sealed = await client.newestState()
    if (sealed === undefined || snapshot.phase !== 'locked') return
    if ((revisionOf(sealed) ?? 0) < snapshot.revision) await this.#context.reopen(client.enclave)
  }

  /**
   * Locks the account in every tab, without waiting for work in progress: during another write the log line is only
   * noted, and a failure to write it doesn't stop the lock.
   */
  async lock(why: 'by hand' | 'idle'): Promise<void> {
    const context = this.#context
    if (context.snapshot.phase === 'locked') await this.#following.refresh(false)
    const { address, phase } = context.snapshot
    if (phase === 'locked') return
    if (address === undefined) throw noVault()
    await ifWriteLockFree(address, async (free) => {
      const { enclave } = context.client
      const act = { act: 'lock', outcome: 'done', about: { why } }
      // Tabs whose time runs out together all get here; only the first writes the log line.
      const first = context.autoLock.forget(address) && context.isPersistent
      // Posted together with the lock, so it also runs ahead of everything queued.
      const sealing =
        first && free && !context.client.isCopy
          ? context.log.seal(enclave, address, [act]).catch(() => undefined)
          : Promise.resolve(undefined)
      const failure = 'Failed to lock the vault'
      const { status } = await callPlugin(enclave, 'lock_vault', {}, failure)
      if (context.client.holds(enclave)) context.apply(status)
      if (!first) return
      const lines = await sealing
      try {
        if (!lines) throw new Error('There is no line to store.')
        await context.client.saveSealedState(enclave, lines.enclave, { metadata: lines.metadata })
        context.log.written(address)
      } catch {
        context.log.note(address, act)
        if (lines) await context.reopen(enclave)
      }
    })
  }
}
