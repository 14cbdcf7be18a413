import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { answerKey, moveAnswers, renewAnswers } from './token-answers.ts'

const OPEN = { address: 'kh1a', isUnlocked: true }
const LOCKED = { address: 'kh1a', isUnlocked: false }
const COUNTS = answerKey(OPEN, { ask: 'counts' })
const PAGE = answerKey(OPEN, { ask: 'page', query: { list: 'given', limit: 20 } })
const FOUND = answerKey(OPEN, { ask: 'find', query: { words: ['lamp'] }, from: 0, count: 40 })
const SECRET = 'Lamplighter'

/** A page of a list, as the service answers while the vault is unlocked. */
const page = (label?: string) => ({
  tokens: [{ cid: 'bafy1', command: '/msg', ...(label !== undefined && { label }) }],
  offset: 0,
  total: 1,
})

/** A promise that a test resolves or leaves open. */
function open() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise<unknown>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** An observer of an answer. */
function look(client: QueryClient, queryKey: readonly unknown[], queryFn: () => Promise<unknown>) {
  const observer = new QueryObserver(client, { queryKey, queryFn, retry: false, staleTime: 10_000 })
  return { observer, leave: observer.subscribe(() => {}) }
}

/** Everything in a cache, as text. */
const contents = (client: QueryClient) =>
  JSON.stringify(
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey, state }) => ({ queryKey, state })),
  )

/** The same question to a locked vault. */
const whenLocked = ([family, address, , request]: readonly unknown[]) => [family, address, false, request]

test('after a lock no answer has a label; unsealed data stays, and is requested again when shown', async () => {
  const client = new QueryClient()
  look(client, PAGE, async () => page(SECRET))
  const found = {
    items: [{ token: { cid: 'bafy1', label: SECRET } }, { entry: { title: SECRET } }],
    total: 2,
    held: 2,
  }
  const { leave } = look(client, FOUND, async () => found)
  await vi.waitFor(() => expect(client.getQueryData(FOUND)).toEqual(found))
  await vi.waitFor(() => expect(client.getQueryData(PAGE)).toEqual(page(SECRET)))
  leave()
  moveAnswers(client, LOCKED)
  expect(contents(client)).not.toContain(SECRET)
  expect(client.getQueryData(PAGE)).toBeUndefined()
  expect(client.getQueryData(whenLocked(PAGE))).toEqual(page())
  const again = vi.fn(async () => page())
  look(client, whenLocked(PAGE), again)
  expect(again).toHaveBeenCalledOnce()
})

test('after an unlock the last answers stay visible until the labels are there', () => {
  const client = new QueryClient()
  client.setQueryData(whenLocked(PAGE), page())
  moveAnswers(client, OPEN)
  expect(client.getQueryData(PAGE)).toEqual(page())
  expect(client.getQueryData(whenLocked(PAGE))).toBeUndefined()
})

test.each([
  ['another account', { address: 'kh1b', isUnlocked: true }],
  ['none', undefined],
])('answers about an account are gone when %s is open', async (_what, to) => {
  const client = new QueryClient()
  client.setQueryData(PAGE, page(SECRET))
  moveAnswers(client, to)
  expect(client.getQueryCache().getAll()).toEqual([])
})

test('an answer still on its way when the vault locks is not kept', async () => {
  const client = new QueryClient()
  const late = open()
  look(client, PAGE, () => late.promise)
  moveAnswers(client, LOCKED)
  late.resolve(page(SECRET))
  await late.promise
  await new Promise((resolve) => setImmediate(resolve))
  expect(contents(client)).not.toContain(SECRET)
})

test('after a change visible answers are requested again, and others are dropped', async () => {
  const client = new QueryClient()
  const ask = vi.fn(async () => ({ live: ask.mock.calls.length }))
  const { observer } = look(client, COUNTS, ask)
  const { leave } = look(client, PAGE, async () => page())
  await vi.waitFor(() => expect(client.getQueryData(PAGE)).toEqual(page()))
  leave()
  renewAnswers(client)
  expect(client.getQueryData(PAGE)).toBeUndefined()
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual({ live: 2 }))
})

test('a question still open when something changes is asked again, because its answer may be old', async () => {
  const client = new QueryClient()
  const answers = [open(), open()]
  let asked = 0
  const { observer } = look(client, COUNTS, () => {
    asked += 1
    return answers[asked - 1]?.promise ?? Promise.reject(new Error('Asked too often'))
  })
  renewAnswers(client)
  expect(asked).toBe(2)
  answers[0]?.resolve({ live: 1 })
  answers[1]?.resolve({ live: 2 })
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual({ live: 2 }))
})
