import * as v from 'valibot'
import { countLines, linesAfter, seqOf } from './activity-reader.ts'
import { parseContents } from './backup.ts'
import { noVault, VaultError } from './errors.ts'
import { normalisePassphrase } from './passphrase.ts'
import { openMetadata, sealMetadata } from './sealed-metadata.ts'
import type { VaultCore } from './vault-core.ts'

export interface VerifyRequest {
  /** The backup file's text. */
  readonly text: string
  /** One of the two. */
  readonly exportPassphrase?: string
  readonly recoveryCode?: string
}

/** What a backup file holds, and what it lacks of the account that is open. */
export interface VerifiedBackup {
  readonly address: string
  /** Seconds since 1970. */
  readonly createdAt: number
  /** How many keys and tokens are in the file. */
  readonly keys: number
  readonly tokens: number
  /** How many keys and tokens the account holds that are not in it. */
  readonly missing: { readonly keys: number; readonly tokens: number }
}

/** How well the account is backed up. */
export interface BackupHealth {
  /** When a backup was last written and verified, in milliseconds since 1970. */
  readonly writtenAt?: number
  readonly verifiedAt?: number
  /** Keys, tokens, payments or mandates have changed after the last backup that was verified, or none has been. */
  readonly changedSince: boolean
}

const BACKUP_KEY = 'backup'

const health = v.object({
  writtenAt: v.exactOptional(v.number()),
  verifiedAt: v.exactOptional(v.number()),
  /** The log's last line in the backup that was verified; 0: it holds none. */
  through: v.exactOptional(v.number()),
})
type Health = v.InferOutput<typeof health>

const checkResult = v.looseObject({
  address: v.string(),
  created_at: v.number(),
  keys: v.array(v.looseObject({ key_id: v.string() })),
  contents: v.unknown(),
})

/** Acts after which a backup lacks something. */
const CHANGES: ReadonlySet<string> = new Set([
  ...['grant', 'narrow', 'receive', 'invoke', 'revoke', 'issueReceipt', 'removeToken', 'importVault'],
  ...['generateKey', 'importKey', 'deleteKey', 'labelKey', 'setDefaultKey'],
  ...['authorizePayment', 'countersignPayment', 'addReceipt'],
  ...['makeMandate', 'suspendMandate', 'confirmMandate', 'endMandate'],
])

/** What is known of an account's backups: sealed metadata under the key `backup`. */
export class BackupHealthDesk {
  readonly #core: VaultCore

  constructor(core: VaultCore) {
    this.#core = core
  }

  async verify(request: VerifyRequest): Promise<VerifiedBackup> {
    const core = this.#core
    const { address, keys: ours } = core.snapshot
    if (address === undefined) throw noVault()
    const input = { backup: request.text, ...opener(request) }
    const backup = await core.call('check_backup', input, checkResult, 'Failed to check the backup')
    if (backup.address !== address) {
      throw new VaultError('OPERATION_FAILED', 'This backup is of another account.')
    }
    const contents = parseContents(backup.contents)
    const keys = new Set(backup.keys.map(({ key_id }) => key_id))
    const tokens = new Set(contents.tokens.map(({ cid, token }) => cid ?? token))
    const held = core.isPersistent ? await core.client.getPersistedTokens() : []
    const missing = {
      keys: ours.filter(({ key_id }) => !keys.has(key_id)).length,
      tokens: held.filter(({ cid, token }) => !tokens.has(cid ?? token)).length,
    }
    const through = contents.metadata.reduce((last, { key }) => Math.max(last, seqOf(key) ?? 0), 0)
    await this.#remember(address, through, missing)
    return { address, createdAt: backup.created_at, keys: keys.size, tokens: tokens.size, missing }
  }

  /** The open account was just brought back from a file, which therefore has everything that it has, and opens. */
  async restored(): Promise<void> {
    const { client, isPersistent, snapshot } = this.#core
    if (!isPersistent || snapshot.address === undefined) return
    try {
      await this.#remember(snapshot.address, await countLines(client.enclave), { keys: 0, tokens: 0 })
    } catch (error) {
      // The account is there: no reason to say that it is not.
      this.#core.report(error, 'verifyBackup')
    }
  }

  async read(): Promise<BackupHealth> {
    this.#core.requireUnlocked()
    if (!this.#core.isPersistent) return { changedSince: true }
    const { writtenAt, verifiedAt, through } = await readHealth(this.#core)
    const changedSince = through === undefined || (await this.#changedAfter(through))
    return {
      ...(writtenAt !== undefined && { writtenAt }),
      ...(verifiedAt !== undefined && { verifiedAt }),
      changedSince,
    }
  }

  async #remember(address: string, through: number, missing: VerifiedBackup['missing']): Promise<void> {
    const core = this.#core
    const about = { missingKeys: missing.keys, missingTokens: missing.tokens }
    const verifiedAt = core.clock.now()
    await rememberBackup(core, 'verifyBackup', about, (before) => ({
      // An older file, verified after a newer one, does not make what the newer one holds any less safe.
      ...{ ...before, verifiedAt, through: Math.max(through, before.through ?? 0) },
    }))
    core.announce('vault:changed', { address, change: 'backup' })
  }

  async #changedAfter(through: number): Promise<boolean> {
    const { lines, gap } = await linesAfter(this.#core, through)
    return gap || lines.some(({ act, outcome }) => outcome === 'done' && CHANGES.has(act))
  }
}

/** @throws VaultError OPERATION_FAILED where neither or both are given */
export function opener({ exportPassphrase, recoveryCode }: Omit<VerifyRequest, 'text'>): object {
  if ((exportPassphrase === undefined) === (recoveryCode === undefined)) {
    throw new VaultError(
      'OPERATION_FAILED',
      "A backup is opened by its passphrase or by the account's recovery code.",
    )
  }
  return exportPassphrase === undefined
    ? { recovery_code: recoveryCode }
    : { export_passphrase: normalisePassphrase(exportPassphrase) }
}

/** What is remembered of the account's backups; nothing where it cannot be read. */
async function readHealth({ client }: VaultCore): Promise<Health> {
  const text = await openMetadata(client.enclave, await client.storage.readMetadataOf(BACKUP_KEY))
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), health), text)
  return parsed.success ? parsed.output : {}
}

/**
 * Remembers what was done about the account's backups, with a line in the log. Never fails, but says so: a full disk is
 * no reason to withhold a backup.
 */
export async function rememberBackup(
  core: VaultCore,
  act: string,
  about: Readonly<Record<string, number>>,
  change: (before: Health) => Health,
): Promise<void> {
  const { address, phase } = core.snapshot
  if (!core.isPersistent || address === undefined) return
  try {
    core.requireUnlocked()
    const { enclave } = core.client
    const text = JSON.stringify(change(await readHealth(core)))
    const metadata = [await sealMetadata(enclave, address, BACKUP_KEY, text, core.clock.now())]
    await core.changes.record(act, about, { metadata })
  } catch (error) {
    core.log.note(address, { act, outcome: 'done', about })
    if (phase === 'unlocked') core.report(error, act)
  }
}
