import * as v from 'valibot'
import { seqOf } from '../activity/activity-log.ts'
import { contextOf } from '../activity/activity-merge.ts'
import { refused } from '../base/errors.ts'
import { openTexts } from '../enclave/sealed-text.ts'
import type { VaultContext } from '../session/context.ts'
import { BackupSource } from './backup-source.ts'
import type { BackupWork } from './backup-work.ts'
import { tokenKey } from './merge-records.ts'
import { type BackupOpening, OpenedBackup } from './opened-backup.ts'

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

/** What is remembered of a backup that was checked. */
export interface CheckedFile {
  /** The last line of this account's log in it; 0 if it has none. */
  readonly through: number
  /** Seconds since 1970. */
  readonly createdAt: number
  /** The ids of its keys. */
  readonly keys: string[]
  /** Whether it lacks tokens. */
  readonly lacks: boolean
  /** The public half of the recovery code that opened it. Absent: a passphrase did. */
  readonly code?: string
}

/** What a check found: for the caller, and to be remembered. */
export interface BackupCheck {
  readonly verified: VerifiedBackup
  readonly file: CheckedFile
}

/**
 * Opens a backup of the open account, and compares it with the account.
 * @throws VaultError OPERATION_FAILED, INVALID_PASSPHRASE
 */
export async function checkBackup(context: VaultContext, request: VerifyRequest): Promise<BackupCheck> {
  const { address = '', keys: ours } = context.snapshot
  const backup = await OpenedBackup.open(context.client.enclave, request, true)
  try {
    if (backup.address !== address) throw refused('BackupOfOtherAccount')
    const tokens = new Set<string>()
    let last: { readonly key: string; readonly value: string } | undefined
    for await (const part of backup.parts()) {
      request.signal?.throwIfAborted()
      for (const token of part.tokens) tokens.add(tokenKey(token))
      for (const each of part.metadata)
        if ((seqOf(each.key) ?? 0) > (seqOf(last?.key ?? '') ?? 0)) last = each
      request.onProgress?.(Math.min(tokens.size, backup.total), backup.total)
    }
    let lacking = 0
    if (context.isPersistent) {
      for await (const page of context.client.storage.tokenPages()) {
        lacking += page.filter((token) => !tokens.has(tokenKey(token))).length
      }
    }
    const has = new Set(backup.keys)
    const missing = { keys: ours.filter(({ key_id }) => !has.has(key_id)).length, tokens: lacking }
    const { createdAt } = backup
    const through = last && (await isOurs(context, last)) ? (seqOf(last.key) ?? 0) : 0
    const code = await codeOf(request)
    return {
      verified: { address, createdAt, keys: has.size, tokens: tokens.size, missing },
      file: {
        ...{ through, createdAt, keys: [...has], lacks: missing.tokens > 0 },
        ...(code !== undefined && { code }),
      },
    }
  } finally {
    await backup.end()
  }
}

/** A log line has its number in this account. Another device's log, or one that a reset set aside, counts its own. */
async function isOurs(
  { client, isPersistent, snapshot }: VaultContext,
  line: { key: string; value: string },
): Promise<boolean> {
  if (!isPersistent || snapshot.phase !== 'unlocked') return false
  const own = await client.storage.readMetadataOf(line.key)
  if (!own) return false
  const [text] = await openTexts(client.enclave, [{ context: contextOf(line.key), text: own.sealed }])
  return text === line.value
}

const head = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ slots: v.looseObject({ recovery_code: v.looseObject({ public_key: v.string() }) }) }),
)

/** The public half of the recovery code that opened a file; undefined if its passphrase did. */
export async function codeOf({ text, recoveryCode }: BackupOpening): Promise<string | undefined> {
  if (recoveryCode === undefined) return undefined
  const parsed = v.safeParse(head, await new BackupSource(text).head())
  // The oldest files have no code.
  return parsed.success ? parsed.output.slots.recovery_code.public_key : undefined
}
