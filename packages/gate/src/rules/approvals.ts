// Calls that an owner allows one by one. The gate makes a text for each, which names the call and the time and can't be made by anyone
// else. The owner's grant says it, so it was made after the call was asked for, and the gate takes each text once.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { stringifyJson } from '@keyhole/enclave'
import type { Call } from '@keyhole/verify'
import { isRecord } from '../calls/arguments.ts'

/** How long an owner has to answer, and the caller to call, in seconds. */
const LIFETIME = 900
const KEY_LENGTH = 32

/** Makes the texts, and recognizes them. */
export interface Approvals {
  /** @param now seconds since 1970 */
  make(call: Call, now: number): string
  /** Until when an approval of this call can be used; undefined if there is none. */
  read(call: Call, now: number): { readonly once: string; readonly until: number } | undefined
}

/** @param key 32 bytes that only the gate knows */
export function approvals(key: Buffer): Approvals {
  const signature = (head: string, { subject, command, args }: Call) => {
    const { once: _, ...rest } = args
    const said = JSON.stringify([head, subject, command, stringifyJson(sorted(rest))])
    return createHmac('sha256', key).update(said).digest('base64url')
  }
  return {
    make(call, now) {
      const head = `${now + LIFETIME}.${randomBytes(9).toString('base64url')}`
      return `${head}.${signature(head, call)}`
    },
    read(call, now) {
      const { once } = call.args
      if (typeof once !== 'string' || !isGrantedByOwner(call, once)) return undefined
      const [, head = '', seconds, given = ''] = /^((\d{1,12})\.[\w-]{12})\.([\w-]{43})$/.exec(once) ?? []
      const until = Number(seconds)
      const isOurs = timingSafeEqual(Buffer.from(signature(head, call)), Buffer.from(given.padEnd(43, '.')))
      return isOurs && until >= now ? { once, until } : undefined
    },
  }
}

/** Whether the owner said this, not someone who narrowed a grant of theirs. */
function isGrantedByOwner({ subject, chain }: Call, once: string): boolean {
  return chain.some(
    ({ issuer, policy }) => issuer === subject && policy.some((statement) => onceOf(statement) === once),
  )
}

/** The text that a limit of a grant names. */
export function onceOf(statement: unknown): string | undefined {
  const [op, selector, value] = Array.isArray(statement) ? statement : []
  const isOnce = op === '==' && ['.once', '["once"]', '.["once"]'].includes(String(selector))
  return isOnce && typeof value === 'string' ? value : undefined
}

/** The same JSON, however its fields are ordered. Fields are a list in an object, so that no list looks like an object. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { fields: entries.map(([key, each]) => [key, sorted(each)]) }
}

/** The key in a file, which is made if it is missing. All gates of one folder have the same. */
export async function approvalKey(path: string): Promise<Buffer> {
  const read = () => readFile(path).catch(() => undefined)
  const known = await read()
  if (known?.length === KEY_LENGTH) return known
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(KEY_LENGTH), { mode: 0o600, flush: true })
  // Of two gates that make one, the first counts.
  await link(draft, path).catch(() => {})
  await rm(draft, { force: true })
  return await readFile(path)
}
