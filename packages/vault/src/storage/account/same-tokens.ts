import * as v from 'valibot'
import { type AccountDatabase, type TokenRecord, tokenRecord } from '../schema.ts'

/** Tokens of one issuer that are looked through for a received one whose end was stored differently. */
const MOST_OF_OTHER_ENDS = 2_000

/** An index of the tokens, and a value in it. */
type IndexedValue = readonly [index: string, value: string | number]

/**
 * The tokens of the database with the same CIDs, by CID. Equal CIDs usually mean equal expiry, and few tokens expire in the same
 * second, so this is fast however many there are. Tokens without an expiry use the narrowest index instead; so does a received one
 * that isn't found, because its end is that of the chain that it came with, unless its issuer has too many to look through.
 */
export async function sameTokens(
  tokens: AccountDatabase['tokens'],
  records: readonly TokenRecord[],
): Promise<ReadonlyMap<string, TokenRecord>> {
  const ending = records.filter(({ expiresAt }) => expiresAt !== undefined)
  const found = await among(tokens, ending, async ({ expiresAt = 0 }) => ['expiresAt', expiresAt])
  const counted = new Map<string, Promise<number>>()
  const count = (index: 'issuer' | 'audience' | 'type', value: string) => {
    const counting =
      counted.get(`${index} ${value}`) ?? Promise.resolve(tokens.where(index).equals(value).count())
    counted.set(`${index} ${value}`, counting)
    return counting
  }
  const rest = records.filter(
    ({ cid = '', expiresAt, type }) => expiresAt === undefined || (type === 'received' && !found.has(cid)),
  )
  const others = await among(tokens, rest, async ({ expiresAt, issuer, audience, type }) => {
    if (expiresAt !== undefined)
      return (await count('issuer', issuer)) < MOST_OF_OTHER_ENDS ? ['issuer', issuer] : undefined
    let narrowest: IndexedValue | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [each, own] of Object.entries({ issuer, audience, type })) {
      const number = await count(each as 'issuer', own)
      if (number < least) [narrowest, least] = [[each, own], number]
    }
    return narrowest
  })
  return new Map([...found, ...others])
}

/** The tokens with the CIDs of these, of which each is looked for by the index that `by` says, if any. */
async function among(
  tokens: AccountDatabase['tokens'],
  records: readonly TokenRecord[],
  by: (record: TokenRecord) => Promise<IndexedValue | undefined>,
): Promise<Map<string, TokenRecord>> {
  const wanted = new Map<string, { by: IndexedValue; cids: Set<string> }>()
  for (const record of records) {
    const indexed = record.cid === undefined ? undefined : await by(record)
    if (record.cid === undefined || !indexed) continue
    const group = wanted.get(indexed.join(' ')) ?? { by: indexed, cids: new Set() }
    group.cids.add(record.cid)
    wanted.set(indexed.join(' '), group)
  }
  const found = new Map<string, TokenRecord>()
  for (const {
    by: [index, value],
    cids,
  } of wanted.values()) {
    const indexed = tokens.where(index).equals(value)
    for (const each of await indexed.filter(({ cid }) => cid !== undefined && cids.has(cid)).toArray()) {
      const parsed = v.safeParse(tokenRecord, each)
      if (parsed.success && parsed.output.cid !== undefined) found.set(parsed.output.cid, parsed.output)
    }
  }
  return found
}
