// The envelope of a token (UCAN 1.0.0, "Envelope"): DAG-CBOR of `[signature, {"h": varsig header, tag: payload}]`. The
// signature covers the second element's bytes, and the CID the whole. Both use the bytes as read, never a new encoding.

import { CborReader } from '../codec/cbor-reader.ts'
import { encodeCbor, head } from '../codec/cbor-writer.ts'
import { cidOf, cidText } from '../codec/cid.ts'
import { bytewise, isBytes, isMap, joined, type Link, type Value } from '../codec/value.ts'
import { type Budget, READ } from '../codec/work-budget.ts'
import { malformed, refuse } from '../errors.ts'
import { KEY_TYPES, type KeyType } from '../identity/key-type.ts'

/** Maximum size of a token, in bytes. */
export const MAX_TOKEN_LENGTH = 1 << 20
/** Work per token, in addition to its bytes. */
const TOKEN = 5_000

/** The tags of the two kinds of token. */
export const DELEGATION = 'ucan/dlg@1.0.0'
export const INVOCATION = 'ucan/inv@1.0.0'

const NO_UCAN = "This isn't a UCAN: its envelope has another form."

/** A payload's fields. */
export type Fields = ReadonlyMap<string, Value>

/** A token's bytes, and the contents of its envelope. */
export interface Envelope {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly link: Link
  readonly cid: string
  readonly tag: typeof DELEGATION | typeof INVOCATION
  readonly keyType: KeyType
  readonly signature: Uint8Array<ArrayBuffer>
  /** What the signature covers. */
  readonly signed: Uint8Array<ArrayBuffer>
  readonly fields: Fields
}

/** Signs a message and returns the bytes of an Ed25519 signature. */
export type Sign = (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

/**
 * Reads an envelope. Doesn't check the signature.
 * @throws HolderError MalformedToken; UnsupportedVersion for a token of another UCAN version; TooMuchWork
 */
export async function readEnvelope(bytes: Uint8Array<ArrayBuffer>, budget: Budget): Promise<Envelope> {
  if (bytes.length > MAX_TOKEN_LENGTH) malformed('The token is longer than 1 MiB.')
  budget.spend(TOKEN + READ * bytes.length)
  const reader = new CborReader(bytes, budget)
  if (reader.expect(4) !== 2n) malformed(NO_UCAN)
  const signature = reader.take(reader.expect(2))
  const signed = bytes.subarray(reader.at)
  // The list around it counts as one level.
  const value = reader.value(1)
  reader.end()
  const link = await cidOf(bytes)
  const cid = cidText(link)
  const [header, tag, payload] = isMap(value) && value.size === 2 ? partsOf(value) : []
  if (tag !== DELEGATION && tag !== INVOCATION) {
    if (!tag?.startsWith('ucan/')) return malformed(NO_UCAN, cid)
    return refuse(
      'UnsupportedVersion',
      `This token is ${tag.slice(0, 60)}, not UCAN 1.0.0: ask for a new one.`,
      { cid },
    )
  }
  const known = KEY_TYPES.find(
    (type) => header && isBytes(header) && bytewise(header, Uint8Array.from(type.header)) === 0,
  )
  if (!known || !payload || !isMap(payload)) return malformed(NO_UCAN, cid)
  return { bytes, link, cid, tag, keyType: known.type, signature, signed, fields: payload }
}

function partsOf(value: Fields): [Value | undefined, string | undefined, Value | undefined] {
  const tag = [...value.keys()].find((key) => key !== 'h' && value.has('h'))
  return [value.get('h'), tag, tag === undefined ? undefined : value.get(tag)]
}

/**
 * Signs a payload with JavaScript values as fields; undefined ones are left out.
 * @throws HolderError InvalidInput if a value can't be encoded in DAG-CBOR
 */
export async function signEnvelope(
  tag: string,
  payload: Readonly<Record<string, unknown>>,
  sign: Sign,
): Promise<Uint8Array<ArrayBuffer>> {
  const signed = encodeCbor({ h: Uint8Array.from(KEY_TYPES[0]?.header ?? []), [tag]: payload })
  return joined([head(4, 2), encodeCbor(await sign(signed)), signed])
}
