import type { TokenRecord } from '@keyhole/vault/token-reader'
import { expect, it, vi } from 'vitest'
import { later } from './test/later.ts'
import { newSearchModule } from './test/search-module.ts'
import { StoredTokens } from './test/stored-tokens.ts'
import type { Answers, ListedTokens, Question, TokenQuery, ToPage } from './token-messages.ts'
import { TokenService } from './token-service.ts'

const NOW = Date.UTC(2026, 10, 29)
const DAY = 86_400_000
const MANY = 5_000
const PAGE: TokenQuery = { list: 'given', limit: 50, early: true }

const record = (number: number, more: Partial<TokenRecord> = {}): TokenRecord => ({
  ...{ id: `t${String(number).padStart(5, '0')}`, token: `C${number}`, type: 'origin', cid: `bafy${number}` },
  ...{ issuer: 'did:key:zOwn', audience: 'kh1b', audienceDid: 'did:key:zBob', subject: 'did:key:zOwn' },
  ...{ command: '/msg/send', policy: [], sealedLabel: `sealed ${number}` },
  ...{ createdAt: NOW - DAY, expiresAt: NOW + ((number * 7_919) % MANY) * 60_000 },
  ...more,
})

const grants = (count: number) => Array.from({ length: count }, (_, number) => record(number))

/** A service for stored tokens, and a page that helps it. */
function service(
  store: StoredTokens,
  { unlocked = false, chains = {} as Record<string, string[]>, newModule = newSearchModule } = {},
) {
  const told: ToPage[] = []
  const opened: string[] = []
  const answers = new Map<number, { resolve: (answer: unknown) => void; reject: (error: unknown) => void }>()
  let asked = 0
  const hear = (message: ToPage) => {
    told.push(message)
    const help = (id: number, given: readonly unknown[]) => it.hear({ do: 'help', id, help: given })
    switch (message.tell) {
      case 'answer':
        return answers.get(message.id)?.resolve(message.answer)
      case 'refusal':
        return answers.get(message.id)?.reject(message.refusal)
      case 'open':
        opened.push(...message.labels.map(({ id }) => id))
        return help(
          message.id,
          message.labels.map(({ sealedLabel }) => `opened ${sealedLabel}`),
        )
      case 'chains':
        return help(
          message.id,
          message.tokens.map((token) => chains[token] ?? []),
        )
      default:
        return
    }
  }
  const it = new TokenService(hear, newModule, async () => store)
  it.hear({ do: 'open', address: 'kh1a', unlocked, fromCopy: false })
  const ask = async <A extends keyof Answers>(question: Question & { ask: A }): Promise<Answers[A]> => {
    asked += 1
    const id = asked
    const answer = new Promise<unknown>((resolve, reject) => answers.set(id, { resolve, reject }))
    it.hear({ do: 'answer', id, question })
    return (await answer) as Answers[A]
  }
  const page = (query: Partial<TokenQuery> = {}) =>
    ask({ ask: 'page', query: { ...PAGE, ...query }, now: NOW })
  const changes = () => told.filter(({ tell }) => tell === 'changed').length
  return { ask, page, hear: it.hear.bind(it), end: it.end.bind(it), told, opened, changes }
}

const ids = ({ tokens }: ListedTokens) => tokens.map(({ id }) => id)

it('answers the first page of a list before all tokens are read, with the rows that it has afterwards', async () => {
  const store = new StoredTokens(grants(MANY))
  const release = store.hold()
  const { page, ask } = service(store)
  const first = await page()
  expect(first).toMatchObject({ offset: 0, total: 50, isFirst: true })
  expect(first.tokens).toHaveLength(50)
  expect(store.reads).toBeLessThan(MANY)

  let isCounted = false
  const counts = ask({ ask: 'counts', now: NOW }).then((answer) => {
    isCounted = true
    return answer
  })
  await page({ live: true })
  expect(isCounted).toBe(false)
  release()
  expect(await counts).toMatchObject({ given: MANY })
  const whole = await page()
  expect(whole.total).toBe(MANY)
  expect(whole.isFirst).toBeUndefined()
  expect(whole.tokens).toEqual(first.tokens)
})

it.each<[string, Partial<TokenQuery>]>([
  ['people', { people: ['did:key:zBob'] }],
  ['mandates', { list: 'mandates' }],
  ['what was signed', { list: 'signed' }],
  ['a later page', { offset: 50 }],
  ['a page that has to be counted', { early: false }],
])('waits until all tokens are read before it answers about %s', async (_, query) => {
  const store = new StoredTokens(grants(MANY))
  const release = store.hold()
  const { page } = service(store)
  const answered = vi.fn()
  const coming = page(query).then(answered)
  await page()
  expect(answered).not.toHaveBeenCalled()
  release()
  await coming
  expect(answered).toHaveBeenCalledOnce()
  expect(answered.mock.calls[0]?.[0]).not.toHaveProperty('isFirst')
})

it('counts a short list among many tokens at once', async () => {
  const received = [1, 2, 3].map((number) => record(number * 1_000, { type: 'received' }))
  const store = new StoredTokens([...grants(MANY), ...received])
  store.hold()
  const { page } = service(store)
  const list = await page({ list: 'received' })
  expect(list.total).toBe(3)
  expect(list.isFirst).toBeUndefined()
  expect(new Set(ids(list))).toEqual(new Set(received.map(({ id }) => id)))
})

it('reads few tokens once, and always counts them', async () => {
  const store = new StoredTokens(grants(60))
  const { page } = service(store)
  expect(await page()).toMatchObject({ total: 60 })
  // All of them, and those of the page for its texts.
  expect(store.reads).toBe(60 + 50)
})

it('shows what was revoked before all tokens are read, and what came from it, and no active list has either', async () => {
  const sorted = grants(MANY).sort((one, other) => (one.expiresAt ?? 0) - (other.expiresAt ?? 0))
  const [parent, child] = sorted as [TokenRecord, TokenRecord]
  const revocation = record(MANY, { type: 'revocation', revokes: parent.cid, expiresAt: undefined })
  const store = new StoredTokens([...grants(MANY), { ...child, type: 'attenuated' }, revocation])
  const release = store.hold()
  const { page, ask } = service(store, { chains: { [child.token]: [parent.cid ?? '', child.cid ?? ''] } })
  const all = await page()
  expect(all.tokens.slice(0, 3)).toMatchObject([
    { id: parent.id, revoked: true },
    { id: child.id, revoked: false, revokedAbove: true },
    { revoked: false, revokedAbove: false },
  ])
  const live = await page({ live: true })
  expect(ids(live)).toEqual(sorted.slice(2, 52).map(({ id }) => id))
  release()
  await ask({ ask: 'counts', now: NOW })
  expect((await page()).tokens).toEqual(all.tokens)
  expect((await page({ live: true })).tokens).toEqual(live.tokens)
})

it('opens only the labels that the first page shows, and only in an unlocked vault', async () => {
  const locked = new StoredTokens(grants(MANY))
  locked.hold()
  const closed = service(locked)
  expect((await closed.page()).tokens[0]).not.toHaveProperty('label')
  expect(closed.opened).toEqual([])

  const store = new StoredTokens(grants(MANY))
  const release = store.hold()
  const open = service(store, { unlocked: true })
  const first = await open.page()
  expect(first.tokens.every(({ label }) => label?.startsWith('opened sealed'))).toBe(true)
  expect(open.opened).toHaveLength(50)
  release()
  await open.ask({ ask: 'counts', now: NOW })
  expect((await open.page()).tokens).toEqual(first.tokens)
})

it('shows what changes while tokens are read', async () => {
  const store = new StoredTokens(grants(MANY))
  const release = store.hold()
  const { page, hear, changes, ask } = service(store)
  const before = ids(await page())
  const tell = async (change: () => void) => {
    const told = changes()
    change()
    hear({ do: 'follow' })
    expect(changes()).toBe(told + 1)
    return await page()
  }

  const added = record(MANY + 1, { id: 'a-before-all-others', expiresAt: NOW })
  const withNew = await tell(() => store.put(added))
  // It expires with the first, whose id comes later.
  expect(ids(withNew)).toEqual([added.id, ...before.slice(0, 49)])

  const revokes = record(MANY + 2, { type: 'revocation', revokes: added.cid, expiresAt: undefined })
  expect((await tell(() => store.put(revokes))).tokens[0]).toMatchObject({ id: added.id, revoked: true })

  const withoutIt = await tell(() => store.records.delete(before[0] ?? ''))
  expect(ids(withoutIt).slice(0, 49)).toEqual([added.id, ...before.slice(1, 49)])

  release()
  expect(await ask({ ask: 'counts', now: NOW })).toMatchObject({ given: MANY })
  const whole = await page()
  expect(whole).toMatchObject({ total: MANY })
  expect(whole.isFirst).toBeUndefined()
  expect(new Set(ids(whole))).toEqual(new Set(ids(withoutIt)))
  expect(whole.tokens.find(({ id }) => id === added.id)?.revoked).toBe(true)
})

it('counts once all tokens are read, also where that failed at first', async () => {
  const store = new StoredTokens(grants(MANY))
  const read = vi.spyOn(store, 'chunks').mockImplementationOnce(async function* () {
    yield [...store.records.values()].slice(0, 1)
    throw new Error('The disk failed.')
  })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { page, ask, hear } = service(store)
  await expect(ask({ ask: 'counts', now: NOW })).rejects.toMatchObject({ details: { name: 'TokensUnread' } })
  read.mockRestore()
  hear({ do: 'follow' })
  expect(await ask({ ask: 'counts', now: NOW })).toMatchObject({ given: MANY })
  expect(await page()).toMatchObject({ total: MANY })
})

it('keeps nothing once it ends: it wipes the memory of its modules, and tells, hears and reads nothing any more', async () => {
  const memories: WebAssembly.Memory[] = []
  const newModule = () => {
    const { Instance } = WebAssembly
    const making = vi.spyOn(WebAssembly, 'Instance').mockImplementation(function (this: unknown, module) {
      const made = new Instance(module)
      memories.push(made.exports.memory as WebAssembly.Memory)
      return made
    })
    const made = newSearchModule()
    making.mockRestore()
    return made
  }
  const isEmpty = ({ buffer }: WebAssembly.Memory) => new Uint8Array(buffer).every((byte) => byte === 0)
  const store = new StoredTokens(grants(MANY))
  const release = store.hold()
  const close = vi.spyOn(store, 'close')
  const { page, hear, end, told, ask } = service(store, { unlocked: true, newModule })
  hear({ do: 'notes', people: [['did:key:zBob', 'Bob of the harbour']] })
  await page()
  const answered = vi.fn()
  void ask({ ask: 'counts', now: NOW }).then(answered, answered)
  // Another first page is being read.
  void page({ limit: 20 }).then(answered, answered)
  const [count, reads] = [told.length, store.reads]
  // All tokens, the first page that was answered, and the one that is being read.
  const held = memories.slice()
  expect(held.map(isEmpty)).toEqual([false, true, false])

  await end()
  expect(close).toHaveBeenCalledOnce()
  expect(held.map(isEmpty)).toEqual([true, true, true])
  release()
  hear({ do: 'answer', id: 99, question: { ask: 'counts', now: NOW } })
  hear({ do: 'unlocked' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(answered).not.toHaveBeenCalled()
  expect(told).toHaveLength(count)
  expect(store.reads).toBe(reads)
})

it('ends before its tokens are open, and also if they never will be', async () => {
  const opening = later<StoredTokens>()
  const tell = vi.fn()
  const it = new TokenService(tell, newSearchModule, () => opening.promise)
  it.hear({ do: 'open', address: 'kh1a', unlocked: true, fromCopy: false })
  const ending = it.end()
  opening.reject(new Error('no such account'))
  await ending
  expect(tell).not.toHaveBeenCalled()
})
