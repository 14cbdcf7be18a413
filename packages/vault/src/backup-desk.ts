import type { Enclave } from '@keyhole/enclave'
import { contextOf, isActivity, mergeActivity } from './activity-merge.ts'
import { countLines } from './activity-reader.ts'
import {
  type BackupContents,
  type BackupMetadata,
  type BackupToken,
  backupFilename,
  metadataToAdd,
  parseContents,
  toContents,
  tokensToAdd,
} from './backup.ts'
import { opener, rememberBackup } from './backup-health.ts'
import { VaultError } from './errors.ts'
import { ENDED_PREFIX } from './expiry.ts'
import { backupHeader, exportResult, importResult } from './lifecycle.ts'
import { withWriteLock } from './lock.ts'
import { checkNewPassphrase } from './passphrase.ts'
import { callPlugin } from './plugin.ts'
import type { Proof } from './proof.ts'
import { inspectTokenResult } from './protocol.ts'
import type { MetadataRecord, TokenRecord } from './schema.ts'
import { metadataContext, openTexts, sealTexts, tokenLabelContext } from './sealed-text.ts'
import type { AccountStorage, StateBatch } from './storage.ts'
import type { VaultCore } from './vault-core.ts'

export interface ExportRequest {
  /** The account's passphrase or a passkey, checked inside the enclave. */
  readonly proof: Proof
  /** Seals the file. The rules of a new passphrase hold. */
  readonly exportPassphrase: string
}

/** A backup file. */
export interface BackupFile {
  readonly filename: string
  readonly text: string
  /** Ids of stored tokens that were left out, since their text is not a token that can be read. */
  readonly skipped: readonly string[]
}

export interface ImportRequest {
  /** The backup file's text. */
  readonly text: string
  /** What opens the file: one of the two. */
  readonly exportPassphrase?: string
  readonly recoveryCode?: string
  /** Seals the account here where it is new to this browser. Not needed to merge into the account that is open. */
  readonly passphrase?: string
  /** Ends the work; nothing has been written then. */
  readonly signal?: AbortSignal
  /** How many of the backup's tokens have been checked, of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What an import brought. */
export interface ImportResult {
  readonly address: string
  readonly tokens: number
  readonly keys: number
  /** True where the account is new to this browser. */
  readonly created: boolean
}

interface Imported {
  readonly tokens: number
  readonly batch: StateBatch
}

/** Tokens checked between two reports of progress. */
const CHECKED_AT_ONCE = 50

/** Backups: one file out, and all of one file in, or nothing of it. */
export class BackupDesk {
  readonly #core: VaultCore

  constructor(core: VaultCore) {
    this.#core = core
  }

  async export({ proof, exportPassphrase }: ExportRequest): Promise<BackupFile> {
    const core = this.#core
    const { client, config } = core
    core.requireUnlocked()
    const { address = '' } = core.snapshot
    const sealing = await checkNewPassphrase(exportPassphrase, config.assessPassphrase)
    const { enclave } = client
    const { contents, skipped } =
      client.accountAddress === undefined
        ? { contents: { tokens: [], sessions: [], metadata: [] }, skipped: [] }
        : await gather(enclave, client.storage)
    const input = { export_passphrase: sealing, contents: toContents(contents) }
    const failure = 'Failed to export the vault'
    const { backup } = await withWriteLock(address, () =>
      core.prove(address, proof, (given) =>
        callPlugin(enclave, 'export_vault', { ...input, proof: given }, exportResult, failure),
      ),
    )
    await this.#remember(contents.tokens.length)
    core.announce('vault:exported', { address, tokens: contents.tokens.length })
    return { filename: backupFilename(address, core.clock.now()), text: backup, skipped }
  }

  /** Which account a backup is of; needs no passphrase. */
  async addressOf(text: string): Promise<string> {
    const failure = 'Failed to read the backup'
    return (await this.#core.call('read_backup', { backup: text }, backupHeader, failure)).address
  }

  /** Merges a backup into the account that is open and unlocked. */
  async merge(request: ImportRequest): Promise<ImportResult> {
    const { client } = this.#core
    let tokens = 0
    const result = await this.#core.changes.mutate({
      act: 'importVault',
      name: 'import_vault',
      input: { backup: request.text, ...opener(request) },
      output: importResult,
      failure: 'Failed to import the backup',
      prepare: async ({ contents }) => {
        const storage = client.accountAddress === undefined ? undefined : client.storage
        const imported = await prepare(client.enclave, parseContents(contents), storage, request)
        tokens = imported.tokens
        return imported.batch
      },
      about: ({ added_keys }) => ({ keys: added_keys.length, tokens }),
    })
    return { address: result.status.address ?? '', tokens, keys: result.added_keys.length, created: false }
  }

  /** Opens a backup in an enclave that holds no account; the result is ready to be adopted. */
  async restore(enclave: Enclave, request: ImportRequest) {
    const passphrase = await checkNewPassphrase(request.passphrase ?? '', this.#core.config.assessPassphrase)
    const input = { backup: request.text, ...opener(request), passphrase }
    const failure = 'Failed to import the backup'
    const result = await callPlugin(enclave, 'import_vault', input, importResult, failure)
    const { address } = result.status
    if (!address) throw new VaultError('OPERATION_FAILED', failure)
    const imported = await prepare(enclave, parseContents(result.contents), undefined, request, address)
    return {
      account: { enclave, address, sealed: result.enclave, batch: imported.batch },
      result: { address, tokens: imported.tokens, keys: result.added_keys.length, created: true },
    }
  }

  async #remember(tokens: number): Promise<void> {
    const core = this.#core
    const about = { keys: core.snapshot.keys.length, tokens }
    const writtenAt = core.clock.now()
    await rememberBackup(core, 'exportVault', about, (before) => ({ ...before, writtenAt }))
  }
}

/** Everything of an account that belongs into its backup, personal texts opened. */
async function gather(
  enclave: Enclave,
  storage: AccountStorage,
): Promise<{ contents: BackupContents; skipped: string[] }> {
  const records = [...(await storage.readTokens()), ...(await storage.readEndedTokens())]
  const labels = await openTexts(
    enclave,
    records.flatMap(({ id, sealedLabel }) =>
      sealedLabel === undefined ? [] : [{ context: tokenLabelContext(id), text: sealedLabel }],
    ),
  )
  const tokens: BackupToken[] = []
  const skipped: string[] = []
  let next = 0
  for (const { sealedLabel, ...token } of records) {
    const label = sealedLabel === undefined ? undefined : labels[next++]
    if (await isSound(enclave, token.token)) tokens.push({ ...token, ...(label !== undefined && { label }) })
    else skipped.push(token.id)
  }
  // What has ended is among the tokens.
  const stored = (await storage.readMetadata()).filter(({ key }) => !key.startsWith(ENDED_PREFIX))
  const values = await openTexts(
    enclave,
    stored.map(({ key, sealed }) => ({ context: contextOf(key), text: sealed })),
  )
  const metadata: BackupMetadata[] = stored.flatMap(({ key, updatedAt }, index) => {
    const value = values[index]
    return value === undefined ? [] : [{ key, updatedAt, value }]
  })
  return { contents: { tokens, sessions: await storage.readSessions(), metadata }, skipped }
}

async function isSound(enclave: Enclave, token: string): Promise<boolean> {
  try {
    const failure = 'Failed to inspect token'
    const { tokens } = await callPlugin(enclave, 'inspect_token', { token }, inspectTokenResult, failure)
    return tokens.length > 0 && tokens.every(({ signature_valid }) => signature_valid)
  } catch (error) {
    // A refusal is an answer; that the enclave is gone is none.
    if (error instanceof VaultError && error.details?.name !== undefined) return false
    throw error
  }
}

/** Checks every token of a backup, and makes of all that is not here yet the records to write. */
async function prepare(
  enclave: Enclave,
  contents: BackupContents,
  storage: AccountStorage | undefined,
  { signal, onProgress }: ImportRequest,
  address = storage?.address ?? '',
): Promise<Imported> {
  const total = contents.tokens.length
  for (let start = 0; start < total; start += CHECKED_AT_ONCE) {
    signal?.throwIfAborted()
    const checked = contents.tokens.slice(start, start + CHECKED_AT_ONCE)
    const sound = await Promise.all(checked.map(({ token }) => isSound(enclave, token)))
    if (sound.includes(false)) {
      throw new VaultError(
        'OPERATION_FAILED',
        'This backup holds a token whose signature does not hold. Nothing was imported.',
        { name: 'InvalidSignature' },
      )
    }
    onProgress?.(Math.min(start + CHECKED_AT_ONCE, total), total)
  }
  const ours = storage ? [...(await storage.readTokens()), ...(await storage.readEndedTokens())] : []
  const tokens = await sealLabels(enclave, tokensToAdd(contents.tokens, ours))
  const kept = (await storage?.readMetadata()) ?? []
  const times = new Map(kept.map(({ key, updatedAt }) => [key, updatedAt]))
  const newer = metadataToAdd(contents.metadata, times)
  const sealed = await sealTexts(
    enclave,
    newer.map(({ key, value }) => ({ context: metadataContext(key), text: value })),
  )
  const metadata: MetadataRecord[] = newer.flatMap(({ key, updatedAt }, index) => {
    const text = sealed[index]
    return text === undefined ? [] : [{ id: key, accountAddress: address, key, updatedAt, sealed: text }]
  })
  const lines = await mergeActivity(
    enclave,
    address,
    contents.metadata.filter(({ key }) => isActivity(key)),
    kept.filter(({ key }) => isActivity(key)),
    await countLines(enclave),
  )
  const known = new Set((await storage?.readSessions())?.map(({ id }) => id))
  const sessions = contents.sessions.filter(({ id }) => !known.has(id))
  signal?.throwIfAborted()
  return { tokens: tokens.length, batch: { tokens, sessions, metadata: [...metadata, ...lines] } }
}

async function sealLabels(enclave: Enclave, tokens: readonly BackupToken[]): Promise<TokenRecord[]> {
  const labelled = tokens.flatMap(({ id, label }) =>
    label === undefined ? [] : [{ context: tokenLabelContext(id), text: label }],
  )
  const sealed = await sealTexts(enclave, labelled)
  let next = 0
  return tokens.map(({ label, ...token }) => {
    const sealedLabel = label === undefined ? undefined : sealed[next++]
    return { ...token, ...(sealedLabel !== undefined && { sealedLabel }) }
  })
}
