import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRefusal } from '@keyhole/enclave'
import { type Checker, type RevocationSource, VerifyError } from '@keyhole/verify'
import { isRecord } from '../calls/arguments.ts'

/** Most files that are read. */
const MOST = 10_000

/**
 * Revocations in a folder: a file for each, as text, whose name ends in `.token`. A new file counts from the next call on. The verifier
 * checks each one's signature and authority, so nobody can revoke by writing a file alone.
 */
export function folderRevocations(folder: string, enclave: Checker): RevocationSource {
  /** Names of the files that were read. A revocation is never changed. */
  const read = new Set<string>()
  /** What they say, by the CID that they revoke. */
  const textsOf = new Map<string, string[]>()

  async function readNew(): Promise<void> {
    const names = await readdir(folder).catch((error) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const tokens = names.filter((name) => name.endsWith('.token'))
    if (tokens.length > MOST) throw new Error(`There are more than ${MOST} revocations.`)
    for (const name of tokens) {
      if (read.has(name)) continue
      const text = (await readFile(join(folder, name), 'utf8')).trim()
      const cid = await revokedBy(enclave, text)
      // A file that is still being written is read again.
      if (cid === undefined || read.has(name)) continue
      read.add(name)
      textsOf.set(cid, [...(textsOf.get(cid) ?? []), text])
    }
  }

  return {
    async find(_subject, cids) {
      try {
        await readNew()
      } catch (cause) {
        throw new VerifyError('REVOCATIONS_UNKNOWN', `The revocations in ${folder} can't be read.`, { cause })
      }
      return cids.flatMap((cid) => textsOf.get(cid) ?? [])
    },
  }
}

/** The CID that a text revokes; undefined if it is no revocation. */
export async function revokedBy(enclave: Checker, text: string): Promise<string | undefined> {
  const read = await enclave.call('inspect_token', { token: text })
  if (isRefusal(read)) return undefined
  for (const { payload } of read.tokens) {
    const fields: unknown = payload
    if (!isRecord(fields) || fields.cmd !== '/ucan/revoke' || !isRecord(fields.args)) continue
    const link = fields.args.revoke
    const cid = isRecord(link) ? link['/'] : link
    if (typeof cid === 'string') return cid
  }
  return undefined
}

/** Writes a revocation into the folder. @returns the CID that it revokes; undefined if it is none: then nothing is written */
export async function keepRevocation(
  folder: string,
  enclave: Checker,
  text: string,
): Promise<string | undefined> {
  const trimmed = text.trim()
  const cid = await revokedBy(enclave, trimmed)
  if (cid === undefined) return undefined
  const path = join(folder, `${createHash('sha256').update(trimmed).digest('hex')}.token`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(`${path}.new`, trimmed, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return cid
}
