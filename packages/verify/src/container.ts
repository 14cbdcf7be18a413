// Separates the tokens in a container (`ucan-wg/container`), without checking them. Bytes are strings with one character for each.

/** `{"ctn-v1": […]}` in CBOR, up to the list. */
const HEAD = '\xa1\x66ctn-v1'
/** The tag of an invocation's payload. */
const INVOCATION = 'ucan/inv@'

/** The bytes in a text of base64 or base64url; undefined if it is neither. */
export function bytesIn(text: string): string | undefined {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
}

/** The tokens in an unpacked container; undefined if it can't be read. */
export function tokensIn(bytes: string): readonly string[] | undefined {
  if (!bytes.startsWith(HEAD)) return undefined
  const list = headAt(bytes, HEAD.length)
  if (list?.major !== 4) return undefined
  const tokens: string[] = []
  let { at } = list
  for (let count = 0; count < list.argument; count += 1) {
    const item = headAt(bytes, at)
    if (item?.major !== 2 || item.at + item.argument > bytes.length) return undefined
    at = item.at + item.argument
    tokens.push(bytes.slice(item.at, at))
  }
  return tokens
}

/** Whether a token may be an invocation. Any other one may say so too. */
export function mayBeInvocation(token: string): boolean {
  return token.includes(INVOCATION)
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
