import * as v from 'valibot'
import { seqOf } from '../activity/activity-log.ts'
import { countLines, linesAfter } from '../activity/activity-reader.ts'
import { noVault, refused } from '../base/errors.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import { readOnlyError } from '../storage/read-only.ts'
import { openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'
import type { BackupWork } from './backup-work.ts'
import type { BackupOpening } from './opened-backup.ts'

/** A backup file, and what opens it. */
export interface VerifyRequest extends BackupOpening, BackupWork {}

/** What a backup file contains, and what it lacks compared to the open account. */
export interface VerifiedBackup {
  readonly address: string
  /** Seconds since 1970. */
  readonly createdAt: number
  /** How many keys and tokens the file contains. */
  readonly keys: number
  readonly tokens: number
  /** How many of the account's keys and tokens it lacks. */
  readonly missing: { readonly keys: number; readonly tokens: number }
}

/** How well the account is backed up. */
export interface BackupHealth {
  /** When a backup was last written, and last verified, in milliseconds since 1970. */
  readonly writtenAt?: number
  readonly verifiedAt?: number
  /** Keys, tokens, payments or mandates have changed since the last verified backup, or there is none. */
  readonly changedSince: boolean
}

const BACKUP_KEY = 'backup'

const health = v.object({
  writtenAt: v.exactOptional(v.number()),
  verifiedAt: v.exactOptional(v.number()),
  /** The last log line in the verified backup; 0 if it has none. */
  through: v.exactOptional(v.number()),
})
type Health = v.InferOutput<typeof health>

/** Actions that make a backup incomplete. */
const CHANGES: ReadonlySet<string> = new Set([
  ...['grant', 'narrow', 'receive', 'invoke', 'revoke', 'issueReceipt', 'removeToken', 'importVault'],
  ...['generateKey', 'importKey', 'deleteKey', 'labelKey', 'setDefaultKey'],
  ...['authorizePayment', 'countersignPayment', 'addReceipt'],
  ...['makeMandate', 'suspendMandate', 'confirmMandate', 'endMandate'],
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
    const context = this.#context
    const { address, keys: ours } = context.snapshot
    if (address === undefined) throw noVault()
    const [{ tokenKey }, { OpenedBackup }] = await Promise.all([
      import('./backup-merge.ts'),
      import('./opened-backup.ts'),
    ])
    const backup = await OpenedBackup.open(context.client.enclave, request, true)
    try {
      if (backup.address !== address) {
        throw refused('BackupOfOtherAccount')
      }
      const tokens = new Set<string>()
      let through = 0
      for await (const part of backup.parts()) {
        request.signal?.throwIfAborted()
        for (const token of part.tokens) tokens.add(tokenKey(token))
        through = part.metadata.reduce((last, { key }) => Math.max(last, seqOf(key) ?? 0), through)
        request.onProgress?.(Math.min(tokens.size, backup.total), backup.total)
      }
      let lacking = 0
      if (context.isPersistent) {
        for await (const page of context.client.storage.tokenPages()) {
          lacking += page.filter((token) => !tokens.has(tokenKey(token))).length
        }
      }
      const keys = new Set(backup.keys)
      const missing = { keys: ours.filter(({ key_id }) => !keys.has(key_id)).length, tokens: lacking }
      await this.#remember(address, through, missing)
      return { address, createdAt: backup.createdAt, keys: keys.size, tokens: tokens.size, missing }
    } finally {
      await backup.end()
    }
  }

  /** Records that the open account was just restored from a file, which therefore opens and lacks nothing. */
  async restored(): Promise<void> {
    const { client, isPersistent, snapshot } = this.#context
    if (!isPersistent || snapshot.address === undefined) return
    try {
      await this.#remember(snapshot.address, await countLines(client.enclave), { keys: 0, tokens: 0 })
    } catch (error) {
      // The account was restored, so this failure is only reported.
      this.#context.report(error, 'verifyBackup')
    }
  }

  async read(): Promise<BackupHealth> {
    this.#context.requireUnlocked()
    if (!this.#context.isPersistent) return { changedSince: true }
    const { writtenAt, verifiedAt, through } = await readHealth(this.#context)
    const changedSince = through === undefined || (await this.#changedAfter(through))
    return {
      ...(writtenAt !== undefined && { writtenAt }),
      ...(verifiedAt !== undefined && { verifiedAt }),
      changedSince,
    }
  }

  async #remember(address: string, through: number, missing: VerifiedBackup['missing']): Promise<void> {
    const context = this.#context
    const about = { missingKeys: missing.keys, missingTokens: missing.tokens }
    const verifiedAt = context.clock.now()
    await rememberBackup(context, this.#changes, 'verifyBackup', about, (before) => ({
      // Verifying an older file after a newer one doesn't make the newer one worse.
      ...{ ...before, verifiedAt, through: Math.max(through, before.through ?? 0) },
    }))
    context.announce('vault:changed', { address, change: 'backup' })
  }

  async #changedAfter(through: number): Promise<boolean> {
    const { client } = this.#context
    const { lines, gap } = await linesAfter(client.enclave, client.storage, through)
    return gap || lines.some(({ act, outcome }) => outcome === 'done' && CHANGES.has(act))
  }
}

/** What is stored about the account's backups; empty if it can't be read. */
async function readHealth({ client }: VaultContext): Promise<Health> {
  const text = await openMetadata(client.enclave, await client.storage.readMetadataOf(BACKUP_KEY))
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), health), text)
  return parsed.success ? parsed.output : {}
}

/**
 * Stores a change to the account's backup information, with a log line. Never fails, only reports: a full disk is no
 * reason to withhold a backup.
 */
export async function rememberBackup(
  context: VaultContext,
  changes: Changes,
  act: string,
  about: Readonly<Record<string, number>>,
  change: (before: Health) => Health,
): Promise<void> {
  const { address, phase } = context.snapshot
  if (!context.isPersistent || address === undefined) return
  try {
    context.requireUnlocked()
    if (context.client.isCopy) throw readOnlyError()
    const { enclave } = context.client
    const text = JSON.stringify(change(await readHealth(context)))
    const metadata = [await sealMetadata(enclave, address, BACKUP_KEY, text, context.clock.now())]
    await changes.record(act, about, { metadata })
  } catch (error) {
    context.log.note(address, { act, outcome: 'done', about })
    if (phase === 'unlocked' && !context.client.isCopy) context.report(error, act)
  }
}
