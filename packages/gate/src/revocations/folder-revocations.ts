import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRefusal, tokenCid } from '@keyhole/enclave'
import {
  type Checker,
  type IndexedRevocation,
  RevocationIndex,
  type RevocationSource,
  VerifyError,
} from '@keyhole/verify'
import { isRecord } from '../calls/arguments.ts'
import { GateError } from '../errors.ts'

/** Most files that are read. */
const MOST = 10_000
/** Longest file, in bytes. */
const LONGEST = 131_072
/** A folder that changed so many milliseconds ago can still change without a new time: file systems count in steps. */
const STEP = 2_000
/** How often a file that isn't a revocation is looked at again, in milliseconds: it may still have been written to. */
const AGAIN = 1_000

const REVOKE = '/ucan/revoke'

/** A revocation that was written down. */
export interface Kept {
  /** The CID that it revokes; undefined if only the enclave can tell. */
  readonly revokes: string | undefined
}

/** A file that isn't a revocation, as it was when it was read. */
interface Junk {
  readonly seenAt: number
  /** Its size and time. */
  readonly state: string
}

/**
 * Revocations in a folder: a file for each, as text, whose name ends in `.token`. A new file counts from the next call on. The verifier
 * checks each one's signature and authority, so nobody can revoke by writing a file alone.
 */
export function folderRevocations(folder: string, enclave: Checker): RevocationSource {
  /** Names of the files that were read. A revocation is never changed. */
  const read = new Set<string>()
  const index = new RevocationIndex()
  /** Texts of revocations of which only the enclave can tell what they revoke. */
  const hidden: string[] = []
  const junk = new Map<string, Junk>()
  /** The folder's state when it was listed last, if nothing can have changed in it since then without changing that. */
  let listed: string | undefined
  let lookedAgainAt = 0

  async function readFileOf(name: string): Promise<void> {
    const path = join(folder, name)
    const { size, ctimeNs } = await stat(path, { bigint: true })
    const state = `${size} ${ctimeNs}`
    const before = junk.get(name)
    if (before?.state === state) return
    const text = size <= LONGEST ? (await readFile(path, 'utf8')).trim() : ''
    const revocation = text === '' ? undefined : await readRevocation(enclave, text)
    if (read.has(name)) return
    if (revocation === undefined) {
      junk.set(name, { seenAt: before?.seenAt ?? Date.now(), state })
      return
    }
    junk.delete(name)
    read.add(name)
    if (revocation.revokes === undefined) hidden.push(revocation.revocation)
    else index.add(revocation)
  }

  /** Reads files that are still being written again: with each call at first, and now and then later. */
  async function readJunk(now: number): Promise<void> {
    const isTime = now - lookedAgainAt >= AGAIN
    if (isTime) lookedAgainAt = now
    for (const [name, { seenAt }] of junk)
      if (isTime || now - seenAt < AGAIN) await readFileOf(name).catch(ignoreMissing)
  }

  async function readNew(): Promise<void> {
    const now = Date.now()
    const state = stateOf(folder)
    if (state === undefined) return
    if (state.text !== listed) {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.token'))
      if (names.length > MOST) throw new Error(`There are more than ${MOST} revocations.`)
      for (const name of names)
        if (!read.has(name) && !junk.has(name)) await readFileOf(name).catch(ignoreMissing)
      listed = now - state.changedAt > STEP ? state.text : undefined
    }
    if (junk.size > 0) await readJunk(now)
  }

  return {
    async find(_subject, chain) {
      try {
        await readNew()
      } catch (cause) {
        throw new VerifyError('REVOCATIONS_UNKNOWN', `The revocations in ${folder} can't be read.`, { cause })
      }
      return [...index.find(chain), ...hidden]
    },
  }
}

/** What changes whenever a file comes into a folder; undefined if there is no folder. It is read with each call, so not by another thread. */
function stateOf(folder: string): { readonly text: string; readonly changedAt: number } | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false })
  return found && { text: `${found.ino} ${found.ctimeNs}`, changedAt: Number(found.ctimeMs) }
}

/** A file that is gone revokes nothing; one that can't be read might. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** A revocation of which only the enclave can tell what it revokes. It is held against every chain. */
interface HiddenRevocation {
  readonly revokes: undefined
  readonly revocation: string
}

/** Reads what a text revokes, and by whom; undefined if it isn't a revocation. */
async function readRevocation(
  enclave: Checker,
  revocation: string,
): Promise<IndexedRevocation | HiddenRevocation | undefined> {
  const read = await enclave.call('inspect_token', { token: revocation })
  if (isRefusal(read)) return await readHidden(enclave, revocation)
  for (const { payload } of read.tokens) {
    const fields: unknown = payload
    if (!isRecord(fields) || fields.cmd !== REVOKE || !isRecord(fields.args)) continue
    const revokes = tokenCid(fields.args.revoke)
    const by = [fields.iss, fields.sub].filter((did) => typeof did === 'string')
    if (revokes !== undefined) return { revokes, by, revocation }
  }
  return undefined
}

/**
 * Reads a text that can't be shown in DAG-JSON. It may be a valid revocation for all that: a token may say anything beside what counts, such as a
 * map with the key `/`.
 */
async function readHidden(
  enclave: Checker,
  revocation: string,
): Promise<IndexedRevocation | HiddenRevocation | undefined> {
  // Read by the enclave as in every check. It refuses what isn't one invocation with its proofs.
  if (isRefusal(await enclave.call('validate_batch', { invocations: [], revocations: [revocation] })))
    return undefined
  // A revocation counts whatever its times are, so it is read at the one time before all expiries.
  const verdict = await enclave.call('validate_invocation', { invocation: revocation, now: 0 })
  if (isRefusal(verdict) || !verdict.valid) return { revokes: undefined, revocation }
  const { command, args, issuer, subject } = verdict
  const revokes = tokenCid(args?.revoke)
  if (command !== REVOKE || revokes === undefined) return undefined
  return { revokes, by: [issuer, subject], revocation }
}

/**
 * Writes a revocation into the folder.
 *
 * @returns the CID that it revokes, if it can be shown; undefined if it is no revocation: then nothing is written
 * @throws GateError REVOCATION_TOO_LONG if it would not be read again
 */
export async function keepRevocation(
  folder: string,
  enclave: Checker,
  text: string,
): Promise<Kept | undefined> {
  const trimmed = text.trim()
  const length = Buffer.byteLength(trimmed)
  if (length > LONGEST)
    throw new GateError(
      'REVOCATION_TOO_LONG',
      `This text has ${length} bytes, and the gate reads revocations of at most ${LONGEST}. Copy the revocation alone, without other tokens.`,
    )
  const read = await readRevocation(enclave, trimmed)
  if (read === undefined) return undefined
  const path = join(folder, `${createHash('sha256').update(trimmed).digest('hex')}.token`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(`${path}.new`, trimmed, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return { revokes: read.revokes }
}
