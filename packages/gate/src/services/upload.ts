// A body that is sent beside a signed call: files, forms, and what is too long to be signed. The call says its digest, length and type, so it is
// exactly this body. What is in it, no limit can see.
import { createHash, timingSafeEqual } from 'node:crypto'
import { isRecord } from '../calls/arguments.ts'
import type { ServiceConfig } from '../config/config.ts'
import { CallRefused, refuseCall } from '../errors.ts'
import { FORM } from './method-override.ts'

/** A body, as it is signed. */
export interface Upload {
  /** SHA-256 of its bytes, in base64url. */
  readonly sha256: string
  readonly length: number
  /** Its media type. */
  readonly type: string
}

/** The body that a call says it sends beside; undefined for any other `body`. */
export function uploadIn(body: unknown): Upload | undefined {
  if (!isRecord(body)) return undefined
  const { sha256, length, type = 'application/octet-stream', ...others } = body
  const isDigest = typeof sha256 === 'string' && /^[\w-]{43}$/.test(sha256)
  const isLength = typeof length === 'number' && Number.isSafeInteger(length) && length >= 0
  const isType = typeof type === 'string' && /^[\x21-\x7e]+\/[\x20-\x7e]{1,200}$/.test(type)
  if (!isDigest || !isLength || !isType || Object.keys(others).length > 0) return undefined
  return { sha256, length, type }
}

/** @throws CallRefused TooLarge; MalformedCall if it is a form and the service takes none; BodyUnseen if a limit, or a rule of the operator, is about what is in the body */
export function checkUpload(
  { length, type }: Upload,
  { uploads, bodies, ask, budgets }: Pick<ServiceConfig, 'uploads' | 'bodies' | 'ask' | 'budgets'>,
  chain: readonly { readonly policy: readonly unknown[] }[],
): void {
  if (length > uploads)
    refuseCall(
      'TooLarge',
      uploads === 0
        ? 'The service takes no bodies beside a call, only JSON in it.'
        : `The service takes bodies of at most ${uploads} bytes beside a call.`,
    )
  if (bodies !== 'form' && FORM.test(type))
    refuseCall(
      'MalformedCall',
      'The service takes no forms: its operator has to say that `bodies` are `form`.',
    )
  // An operator's rule may mean JSON's fields, whatever they are called.
  const isRuled = [...ask, ...budgets].some(({ policy }) => policy.some((each) => looksIntoBody(each, false)))
  const isCounted = budgets.some(({ sum }) => sum && looksIntoBody(['==', sum.of, 0], false))
  const isLimited = chain.some(({ policy }) => {
    const meansUploads = policy.some(isAboutUploads)
    return policy.some((each) => looksIntoBody(each, meansUploads))
  })
  if (isRuled || isCounted || isLimited)
    refuseCall(
      'BodyUnseen',
      "A limit is about what is in the body, and can't see into one that is sent beside a call.",
    )
}

/** Media types, and patterns of them. A field `type` of JSON's has other values. */
const MEDIA_TYPE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+ *(?:;|$)/

/** Whether a statement holds of nothing but bodies beside a call: then its policy means `type`, `length` and `sha256` of those, not JSON's. */
function isAboutUploads(statement: unknown): boolean {
  if (!Array.isArray(statement)) return false
  const [operator, at, value] = statement
  if (operator === '==' && at === '.body') return uploadIn(value) !== undefined
  if (operator === '==' && at === '.') return isRecord(value) && uploadIn(value.body) !== undefined
  if (typeof value !== 'string') return false
  if (operator === '==' && at === '.body.sha256') return true
  return (operator === '==' || operator === 'like') && at === '.body.type' && MEDIA_TYPE.test(value)
}

/**
 * Whether a statement may be about what is in `.body`. What isn't known to be about something else may be.
 *
 * @param meansUploads whether its policy is about bodies beside a call
 */
function looksIntoBody(statement: unknown, meansUploads: boolean): boolean {
  if (!Array.isArray(statement)) return true
  const [operator, at] = statement
  if (operator === 'and' || operator === 'or')
    return !Array.isArray(at) || at.some((each) => looksIntoBody(each, meansUploads))
  if (operator === 'not') return looksIntoBody(at, meansUploads)
  if (typeof at !== 'string') return true
  if (meansUploads && (isAboutUploads(statement) || /^\.body\.(?:sha256|length|type)$/.test(at))) return false
  const [, field] = /^\.([A-Za-z_]\w*)(?![\w-])/.exec(at) ?? []
  return field === undefined || field === 'body'
}

/** Longest body that is passed over, in bytes. */
const LONGEST_SKIPPED = 1 << 22
const CUT_OFF = 'The body that was sent is not the one that was signed, or was cut off.'

/**
 * Reads a body to its end. It stops reading when the signal says so.
 *
 * @param take is given each part
 * @throws CallRefused MalformedCall if it is cut off; what `take` throws
 */
async function readAll(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  take: (part: Uint8Array) => void,
): Promise<void> {
  const reader = body.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value)
    // A body that is given up ends as a whole one does.
    if (signal.aborted) refuseCall('MalformedCall', CUT_OFF)
  } catch (error) {
    if (error instanceof CallRefused) throw error
    refuseCall('MalformedCall', CUT_OFF)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * The bytes of a body, if they are those that were signed.
 *
 * @throws CallRefused MalformedCall
 */
export async function readUpload(
  { sha256, length }: Upload,
  body: ReadableStream<Uint8Array> | null | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const hash = createHash('sha256')
  let read = 0
  if (body)
    await readAll(body, signal, (part) => {
      if (read + part.length > length) refuseCall('MalformedCall', CUT_OFF)
      bytes.set(part, read)
      hash.update(part)
      read += part.length
    })
  const digest = hash.digest()
  const signed = Buffer.from(sha256, 'base64url')
  const isSame = signed.length === digest.length && timingSafeEqual(signed, digest)
  return read === length && isSame ? bytes : refuseCall('MalformedCall', CUT_OFF)
}

/**
 * Waits until a body that no call names has arrived.
 *
 * @throws CallRefused MalformedCall if it is cut off; TooLarge
 */
export async function skipBody(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  let length = 0
  await readAll(body, signal, (part) => {
    length += part.length
    if (length > LONGEST_SKIPPED)
      refuseCall(
        'TooLarge',
        `The call names no body, and one of more than ${LONGEST_SKIPPED} bytes was sent.`,
      )
  })
}
