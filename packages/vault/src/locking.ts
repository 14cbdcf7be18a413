import { leftError, noVault } from './errors.ts'
import { statusResult, unlockResult } from './lifecycle.ts'
import { ifWriteLockFree, withWriteLock } from './lock.ts'
import { callPlugin } from './plugin.ts'
import { kindOf, type Proof } from './proof.ts'
import { recoveryCodeRecord } from './recovery-code.ts'
import { revisionOf } from './schema.ts'
import type { VaultCore } from './vault-core.ts'

/** Unlocking and locking the account that is open. */
export class Locking {
  readonly #core: VaultCore

  constructor(core: VaultCore) {
    this.#core = core
  }

  async unlock(proof: Proof): Promise<void> {
    const core = this.#core
    const { address } = core.snapshot
    if (address === undefined) throw noVault()
    const home = core.client.enclave
    await withWriteLock(address, async () => {
      if (!core.client.holds(home)) throw leftError()
      await core.following.refresh(false)
      await this.#dropUnsaved()
      // The newest that is stored: it was read just now.
      const sealed = core.client.sealedState
      const input = sealed !== undefined && core.client.isBehind(sealed) ? { suspend_mandates: true } : {}
      const failure = 'Failed to unlock the vault'
      const { status, enclave } = await core.prove(address, proof, (given) =>
        callPlugin(home, 'unlock_vault', { ...input, proof: given }, unlockResult, failure),
      )
      if (!core.client.holds(home)) throw leftError()
      core.apply(status)
      core.autoLock.use()
      // Should it not be saved, the older one opens as well, and mandates that were suspended will be again.
      if (enclave && !core.client.isCopy) {
        await core.client.saveSealedState(home, enclave).catch((error) => core.report(error, 'unlock'))
      }
      const about = { by: kindOf(proof) }
      if (!core.isPersistent) return
      // Who has typed the code has kept it.
      const isKept = kindOf(proof) === 'recovery_code'
      const keep = async () => ({
        metadata: isKept ? [await recoveryCodeRecord(home, address, true, core.clock.now())] : [],
      })
      await core.changes.settle(home, address, { act: 'unlock', about }, keep)
    })
  }

  /** A tab that died between a change and the disk has left a shared enclave ahead of it: nobody was told of that. */
  async #dropUnsaved(): Promise<void> {
    const { client, snapshot } = this.#core
    const sealed = await client.newestState()
    if (sealed === undefined || snapshot.phase !== 'locked') return
    if ((revisionOf(sealed) ?? 0) < snapshot.revision) await this.#core.reopen(client.enclave)
  }

  /**
   * Locks the account in every tab. Nothing that is at work holds it up: where another write is under way, the line in
   * the log is only noted; and what cannot be written down does not keep it from locking.
   */
  async lock(why: 'by hand' | 'idle'): Promise<void> {
    const core = this.#core
    if (core.snapshot.phase === 'locked') await core.following.refresh(false)
    const { address, phase } = core.snapshot
    if (phase === 'locked') return
    if (address === undefined) throw noVault()
    await ifWriteLockFree(address, async (free) => {
      const { enclave } = core.client
      const act = { act: 'lock', outcome: 'done', about: { why } }
      // Tabs whose time is up at once all get here; the first one writes it down.
      const first = core.autoLock.forget(address) && core.isPersistent
      // Made in one go with the lock, it goes before all that waits as well.
      const sealing =
        first && free && !core.client.isCopy
          ? core.log.seal(enclave, address, act).catch(() => undefined)
          : Promise.resolve(undefined)
      const failure = 'Failed to lock the vault'
      const { status } = await callPlugin(enclave, 'lock_vault', {}, statusResult, failure)
      if (core.client.holds(enclave)) core.apply(status)
      if (!first) return
      const lines = await sealing
      try {
        if (!lines) throw new Error('There is no line to store.')
        await core.client.saveSealedState(enclave, lines.enclave, { metadata: lines.metadata })
        core.log.written(address)
      } catch {
        core.log.note(address, act)
        if (lines) await core.reopen(enclave)
      }
    })
  }
}
