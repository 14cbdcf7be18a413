import type { TokenRecord, TokenType } from '@keyhole/vault/token-reader'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstPage, listPage, type PageParts } from './list-page.ts'
import { PageHelp } from './page-help.ts'
import { newSearchModule } from './test/search-module.ts'
import { StoredTokens } from './test/stored-tokens.ts'
import { TokenIndex } from './token-index.ts'

const NOW = 1_000_000

const records = fc
  .array(
    fc.record({
      type: fc.constantFrom<TokenType>('origin', 'origin', 'attenuated', 'received', 'revocation'),
      expiresAt: fc.option(fc.integer({ min: NOW - 2, max: NOW + 5 }), { nil: undefined }),
      createdAt: fc.integer({ min: NOW - 4, max: NOW }),
      revokes: fc.nat(20),
    }),
    { maxLength: 25 },
  )
  .map((all) =>
    all.map(
      ({ type, revokes, ...rest }, at): TokenRecord => ({
        ...{ id: `t${(at * 7) % 26}`, cid: `bafy${at}`, token: `bafy${at}`, type, ...rest },
        ...{ issuer: 'did:key:zA', audience: 'kh1b', audienceDid: 'did:key:zB', subject: 'did:key:zA' },
        ...{ command: '/msg', policy: [] },
        ...(type === 'revocation' && { revokes: `bafy${revokes}` }),
      }),
    ),
  )

/** Every token that may have come from another one came from the one before it. */
const chainOf = (token: string) => [`bafy${Number(token.slice(4)) - 1}`, token]

it('is the page that all tokens give, whatever is stored', async () => {
  const query = fc.record({
    list: fc.constantFrom('given' as const, 'received' as const),
    live: fc.boolean(),
    limit: fc.integer({ min: 1, max: 6 }),
  })
  let early = 0
  await fc.assert(
    fc.asyncProperty(records, query, fc.integer({ min: 1, max: 12 }), async (stored, asked, most) => {
      const reader = new StoredTokens(stored)
      reader.most = most
      const help: PageHelp = new PageHelp((message) => {
        if (message.tell === 'chains') help.hear(message.id, message.tokens.map(chainOf))
      })
      const parts: PageParts = { reader, help, isUnlocked: false }
      const index = new TokenIndex(newSearchModule())
      index.add(await reader.read(await reader.ids()))
      const whole = await listPage(index, parts, asked, NOW)
      const first = await firstPage(newSearchModule(), parts, asked, NOW)
      if (!first) return
      early += 1
      expect(first.tokens).toEqual(whole.tokens)
      if (first.isFirst) expect(first.total).toBe(asked.limit)
      else expect(first.total).toBe(whole.total)
    }),
    { numRuns: 500 },
  )
  expect(early).toBeGreaterThan(100)
})
