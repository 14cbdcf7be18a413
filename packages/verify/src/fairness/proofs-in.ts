// Separates the tokens in a text, without checking them.

/** `{"ctn-v1": […]}` in CBOR, up to the list, with one character per byte. */
const HEAD = '\xa1\x66ctn-v1'
/** The tag of an invocation's payload. */
const INVOCATION = 'ucan/inv@'

/** The tokens in a container, each as a text with one character per byte. */
export interface ShownTokens {
  /** Tokens that aren't invocations. */
  readonly proofs: readonly string[]
  /** How many may be invocations. */
  readonly invocations: number
}

/**
 * Reads a container in base64 or base64url. Undefined for any other text, whose sender then counts as unknown. That
 * includes compressed containers, because unpacking takes time.
 */
export function proofsIn(text: string): ShownTokens | undefined {
  if (!/^[BC]/.test(text)) return undefined
  let bytes: string
  try {
    bytes = atob(text.slice(1).replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
  if (!bytes.startsWith(HEAD)) return undefined
  const list = headAt(bytes, HEAD.length)
  if (list?.major !== 4) return undefined
  const proofs: string[] = []
  let invocations = 0
  let { at } = list
  for (let count = 0; count < list.argument; count += 1) {
    const item = headAt(bytes, at)
    if (item?.major !== 2 || item.at + item.argument > bytes.length) return undefined
    at = item.at + item.argument
    const token = bytes.slice(item.at, at)
    if (token.includes(INVOCATION)) invocations += 1
    else proofs.push(token)
  }
  return { proofs, invocations }
}

/** A CBOR head: its major type, its argument below 2³², and where it ends. */
function headAt(bytes: string, at: number): { major: number; argument: number; at: number } | undefined {
  const first = bytes.charCodeAt(at)
  if (Number.isNaN(first)) return undefined
  const [major, info] = [first >> 5, first & 31]
  if (info < 24) return { major, argument: info, at: at + 1 }
  const length = new Map([
    [24, 1],
    [25, 2],
    [26, 4],
  ]).get(info)
  if (length === undefined || at + 1 + length > bytes.length) return undefined
  let argument = 0
  for (let place = at + 1; place <= at + length; place += 1)
    argument = argument * 256 + bytes.charCodeAt(place)
  return { major, argument, at: at + 1 + length }
}
