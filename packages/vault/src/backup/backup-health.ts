import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { countLines, linesAfter } from '../activity/activity-reader.ts'
import { leftError, noVault } from '../base/errors.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import { publicHalfOf } from '../storage/account/recovery-code.ts'
import { DEVICE_RECEIVED } from '../storage/devices/device-marks.ts'
import { readOnlyError } from '../storage/read-only.ts'
import { openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'
import { UNLOCK_ACTS } from '../unlock/unlock-proof.ts'
import type { CheckedFile, VerifiedBackup, VerifyRequest } from './backup-check.ts'
import type { BackupOpening } from './opened-backup.ts'

export type { VerifiedBackup, VerifyRequest } from './backup-check.ts'

/** How well the account is backed up. */
export interface BackupHealth {
  /** When a backup was last written, and last verified, in milliseconds since 1970. */
  readonly writtenAt?: number
  readonly verifiedAt?: number
  /**
   * Something has changed that the last verified backup lacks, the recovery code that opened it was replaced, or there is
   * none.
   */
  readonly changedSince: boolean
}

/** The key of the metadata that says how the account is backed up. */
export const BACKUP_KEY = 'backup'

const health = v.object({
  writtenAt: v.exactOptional(v.number()),
  verifiedAt: v.exactOptional(v.number()),
  /** The last log line in the verified backup; 0 if it has none of this log. */
  through: v.exactOptional(v.number()),
  /** When that backup was written, in seconds since 1970. */
  createdAt: v.exactOptional(v.number()),
  /** The ids of its keys. */
  keys: v.exactOptional(v.array(v.string())),
  /** Whether it lacks tokens. */
  lacks: v.exactOptional(v.boolean()),
  /** The public half of the recovery code that opened it. Absent: a passphrase did. */
  code: v.exactOptional(v.string()),
})
type Health = v.InferOutput<typeof health>

/**
 * Whether the last verified backup is newer than this file. Lines of the log are in order whatever the clock said; a time
 * that is still to come says nothing, or a file that was written while the clock was fast would be the newest for long.
 */
function isNewer({ through = 0, createdAt = 0 }: Health, than: CheckedFile, now: number): boolean {
  if (through > 0 && than.through > 0 && through !== than.through) return through > than.through
  return createdAt * 1000 <= now && createdAt > than.createdAt
}

/** Actions that a backup needs nothing of. What it has to have after all others is in no older one. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['unlock', 'lock', 'endTab', 'sign', 'cleanUp', 'setAutoLock', 'exportVault', 'verifyBackup'],
  // What a file is opened with is remembered, and the keys are compared.
  ...['keepRecoveryCode', ...UNLOCK_ACTS, 'startDevices', 'addDevice', 'removeDevice', 'adoptDevices'],
])

/** What an account knows about its backups: sealed metadata with the key `backup`. */
export class BackupChecks {
  readonly #context: VaultContext
  readonly #changes: Changes

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
  }

  async verify(request: VerifyRequest): Promise<VerifiedBackup> {
    const { client, snapshot } = this.#context
    const { address } = snapshot
    if (address === undefined) throw noVault()
    const { enclave } = client
    const { checkBackup } = await import('./backup-check.ts')
    const { verified, file } = await checkBackup(this.#context, request)
    // It may have been compared with another account.
    if (!client.holds(enclave)) throw leftError()
    await this.#remember({ address, enclave }, file, verified.missing)
    return verified
  }

  /** Records that the open account was just restored from a file, which therefore opens and lacks nothing. */
  async restored(opening: BackupOpening): Promise<void> {
    const { client, clock, isPersistent, snapshot } = this.#context
    const { address } = snapshot
    if (!isPersistent || address === undefined) return
    try {
      const { enclave } = client
      const [through, code] = await Promise.all([
        countLines(enclave),
        import('./backup-check.ts').then(({ codeOf }) => codeOf(opening)),
      ])
      const keys = snapshot.keys.map(({ key_id }) => key_id)
      const createdAt = Math.floor(clock.now() / 1000)
      const file = { through, createdAt, keys, lacks: false, ...(code !== undefined && { code }) }
      await this.#remember({ address, enclave }, file, { keys: 0, tokens: 0 })
    } catch (error) {
      // The account was restored, so this failure is only reported.
      this.#context.report(error, 'verifyBackup')
    }
  }

  async read(): Promise<BackupHealth> {
    this.#context.requireUnlocked()
    if (!this.#context.isPersistent) return { changedSince: true }
    const checked = await readHealth(this.#context)
    const { writtenAt, verifiedAt } = checked
    const changedSince = await this.#changedSince(checked)
    return {
      ...(writtenAt !== undefined && { writtenAt }),
      ...(verifiedAt !== undefined && { verifiedAt }),
      changedSince,
    }
  }

  async #remember(of: AccountOf, file: CheckedFile, missing: VerifiedBackup['missing']): Promise<void> {
    const context = this.#context
    const about = { missingKeys: missing.keys, missingTokens: missing.tokens }
    const verifiedAt = context.clock.now()
    await rememberBackup(context, this.#changes, of, { act: 'verifyBackup', about }, (before) => {
      // Verifying an older file after a newer one doesn't make the newer one worse.
      if (isNewer(before, file, verifiedAt)) return { ...before, verifiedAt }
      const { writtenAt } = before
      return { ...file, verifiedAt, ...(writtenAt !== undefined && { writtenAt }) }
    })
    context.announce('vault:changed', { address: of.address, change: 'backup' })
  }

  async #changedSince({ through, createdAt = 0, keys, lacks, code }: Health): Promise<boolean> {
    const { client, clock, snapshot } = this.#context
    if (through === undefined || lacks) return true
    if (keys && snapshot.keys.some(({ key_id }) => !keys.includes(key_id))) return true
    // No file opens with a code that no one has any more.
    if (code !== undefined && code !== publicHalfOf(await client.newestState())) return true
    // Other devices add keys and tokens without a line in this device's log. If the file is from the future, the clock was
    // fast, and no one can tell which came first.
    const received = await client.storage.readMetadataOf(DEVICE_RECEIVED)
    const writtenAt = createdAt * 1000
    if (received && (received.updatedAt >= writtenAt || writtenAt > clock.now())) return true
    const { lines, gap } = await linesAfter(client.enclave, client.storage, through)
    return gap || lines.some(({ act, outcome }) => outcome === 'done' && !HARMLESS.has(act))
  }
}

/** What is stored about the account's backups; empty if it can't be read. */
async function readHealth({ client }: VaultContext): Promise<Health> {
  const text = await openMetadata(client.enclave, await client.storage.readMetadataOf(BACKUP_KEY))
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), health), text)
  return parsed.success ? parsed.output : {}
}

/** The account of a backup. Another one may be open by the time that the backup is done. */
interface AccountOf {
  readonly address: string
  readonly enclave: Enclave
}

/**
 * Stores a change to the account's backup information, with a log line. Never fails, only reports: a full disk is no
 * reason to withhold a backup.
 */
export async function rememberBackup(
  context: VaultContext,
  changes: Changes,
  { address, enclave }: AccountOf,
  { act, about }: { readonly act: string; readonly about: Readonly<Record<string, number>> },
  change: (before: Health) => Health,
): Promise<void> {
  const { client, snapshot } = context
  const { phase } = snapshot
  if (!context.isPersistent) return
  // Read under the lock: another backup or check may end at the same time.
  const batch = async () => {
    const text = JSON.stringify(change(await readHealth(context)))
    const now = await context.laterThanStored(BACKUP_KEY)
    return { metadata: [await sealMetadata(enclave, address, BACKUP_KEY, text, now)] }
  }
  try {
    context.requireUnlocked()
    if (client.isCopy) throw readOnlyError()
    await changes.record(act, about, batch, enclave)
  } catch (error) {
    context.log.note(address, { act, outcome: 'done', about })
    if (client.holds(enclave) && phase === 'unlocked' && !client.isCopy) context.report(error, act)
  }
}
