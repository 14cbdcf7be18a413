import { PIECE, SoughtSecrets, squeeze } from './sought-secrets.ts'

/** What stands in the place of a secret. */
export const CUT = '[credential removed]'
/** A letter that no credential has: what is on both sides of it isn't read together. */
const APART = 'ꙮ'

/** Cuts credentials out of answers. */
export interface Redactor {
  /** A text without the secrets, and without longer pieces of them. */
  text(text: string): string
  /** A JSON value without them; undefined if one is in it in a form that can't be cut out, so that the whole has to be withheld. */
  json(value: unknown): unknown
}

/** A redactor that learns of more secrets. */
export interface GrowingRedactor extends Redactor {
  add(secrets: readonly string[]): void
}

/** Secrets that were added and are still cut out: a login that was renewed may come up once more. */
const MOST_ADDED = 64

/** As {@link createRedactor}, for secrets that change. */
export function growingRedactor(secrets: readonly string[]): GrowingRedactor {
  const sought = new SoughtSecrets(secrets)
  let added: readonly string[] = []
  return {
    ...redactorOf(sought),
    add(more) {
      const fresh = [...new Set(more)].filter(
        (secret) => !added.includes(secret) && !secrets.includes(secret),
      )
      for (const secret of fresh) sought.add(secret)
      const all = [...added, ...fresh]
      added = all.slice(-MOST_ADDED)
      for (const secret of all.slice(0, -MOST_ADDED)) sought.remove(secret)
    },
  }
}

/**
 * Cuts these secrets out of what a server answers: as they stand, in the encodings of {@link writingsOf}, and in pieces. It does not find
 * a secret that a server encrypts, or hands over in pieces of less than eight characters in different answers or among other text: a server
 * that means to give its credential away can do so.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  return redactorOf(new SoughtSecrets(secrets))
}

function redactorOf(sought: SoughtSecrets): Redactor {
  function cut(text: string): string {
    if (text.length < PIECE) return text
    const lower = text.toLowerCase()
    // A few letters change their length in lower case: then positions don't fit, and the text as a whole is cut if there is a piece in it.
    if (lower.length !== text.length) {
      for (let at = 0; at + PIECE <= lower.length; at += 1) if (sought.hasPieceAt(lower, at)) return CUT
      return text
    }
    let out = ''
    let kept = 0
    for (let at = 0; at + PIECE <= lower.length; ) {
      if (!sought.hasPieceAt(lower, at)) {
        at += 1
        continue
      }
      let end = at + PIECE
      while (end < lower.length && sought.hasPieceAt(lower, end - PIECE + 1)) end += 1
      out += text.slice(kept, at) + CUT
      kept = end
      at = end
    }
    return kept === 0 ? text : out + text.slice(kept)
  }

  /** Whether a secret is spread over several texts, or has signs between its letters. */
  function isSpread(texts: readonly string[]): boolean {
    return sought.isIn(squeeze(texts.join('').replaceAll(CUT, '\n').toLowerCase()))
  }

  /** Whether bytes in base64, such as an image's, have a secret in them. */
  function isInBytes(texts: readonly string[]): boolean {
    const [inLatin, inText, inWide, inSwapped]: [string[], string[], string[], string[]] = [[], [], [], []]
    for (const text of texts) {
      if (text.length < PIECE || !/^[\w+/-]+={0,2}$/.test(text)) continue
      const bytes = Buffer.from(text, 'base64')
      const even = bytes.subarray(0, bytes.length & ~1)
      inLatin.push(bytes.toString('latin1'))
      // In Latin-1, a sign of UTF-8 would be read as letters.
      inText.push(bytes.toString('utf8'))
      inWide.push(bytes.toString('utf16le'))
      inSwapped.push(Buffer.from(even).swap16().toString('utf16le'))
    }
    return [inLatin, inText, inWide, inSwapped].some((inner) =>
      sought.isIn(squeeze(inner.join(APART).toLowerCase())),
    )
  }

  return {
    text(text) {
      if (sought.isEmpty) return text
      const clean = cut(text)
      return isSpread([clean]) ? CUT : clean
    },
    json(value) {
      if (sought.isEmpty) return value
      const texts: string[] = []
      const cutAll = mapTexts(value, (text) => {
        const clean = cut(text)
        texts.push(clean)
        return clean
      })
      const isHidden = isSpread(texts) || isInBytes(texts) || orderings(cutAll).some(isSpread)
      return isHidden ? undefined : cutAll
    },
  }
}

/** The orders in which someone could read the pieces of a secret: the values one after another, the names, and the values of each name. */
function orderings(value: unknown): readonly (readonly string[])[] {
  const values: string[] = []
  const names: string[] = []
  const byName = new Map<string, string[]>()
  const look = (each: unknown, column: string[] | undefined): void => {
    if (Array.isArray(each)) {
      for (const item of each) look(item, column)
    } else if (typeof each === 'object' && each !== null) {
      for (const [name, item] of Object.entries(each)) {
        names.push(name)
        const same = byName.get(name) ?? []
        byName.set(name, same)
        look(item, same)
      }
    } else if (['string', 'number', 'bigint'].includes(typeof each)) {
      values.push(String(each))
      column?.push(String(each))
    }
  }
  look(value, undefined)
  const columns = [...byName.values()].flatMap((column) => [APART, ...column])
  return [values, names, columns]
}

/** A JSON value with every text in it mapped, keys too. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [map(key), mapTexts(each, map)]))
}
