import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { answerKey, moveAnswers, renewAnswers } from './token-answers.ts'

const OPEN = { address: 'kh1a', isUnlocked: true }
const LOCKED = { address: 'kh1a', isUnlocked: false }
const COUNTS = answerKey(OPEN, { ask: 'counts' })
const PAGE = answerKey(OPEN, { ask: 'page', query: { list: 'given', limit: 20 } })
const FOUND = answerKey(OPEN, { ask: 'find', query: { words: ['lamp'] }, from: 0, count: 40 })
const SECRET = 'Lamplighter'

/** A page of a list, as the service answers with it while the vault is unlocked. */
const page = (label?: string) => ({
  tokens: [{ cid: 'bafy1', command: '/msg', ...(label !== undefined && { label }) }],
  offset: 0,
  total: 1,
})

/** A promise that a test keeps or leaves open. */
function open() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise<unknown>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Someone who looks at an answer. */
function look(client: QueryClient, queryKey: readonly unknown[], queryFn: () => Promise<unknown>) {
  const observer = new QueryObserver(client, { queryKey, queryFn, retry: false, staleTime: 10_000 })
  return { observer, leave: observer.subscribe(() => {}) }
}

/** Everything that a cache has, as text. */
const contents = (client: QueryClient) =>
  JSON.stringify(
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey, state }) => ({ queryKey, state })),
  )

/** The same question, asked of the locked vault. */
const whenLocked = ([family, address, , request]: readonly unknown[]) => [family, address, false, request]

test('after a lock no answer has a label; what is not sealed stands, and is asked again when it is looked at', async () => {
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

test('an unlock leaves what was answered in sight until the labels are there', () => {
  const client = new QueryClient()
  client.setQueryData(whenLocked(PAGE), page())
  moveAnswers(client, OPEN)
  expect(client.getQueryData(PAGE)).toEqual(page())
  expect(client.getQueryData(whenLocked(PAGE))).toBeUndefined()
})

test.each([
  ['another account', { address: 'kh1b', isUnlocked: true }],
  ['none', undefined],
])('what was answered about an account is gone when %s is open', async (_what, to) => {
  const client = new QueryClient()
  client.setQueryData(PAGE, page(SECRET))
  moveAnswers(client, to)
  expect(client.getQueryCache().getAll()).toEqual([])
})

test('an answer that was on its way when the vault was locked is not kept', async () => {
  const client = new QueryClient()
  const late = open()
  look(client, PAGE, () => late.promise)
  moveAnswers(client, LOCKED)
  late.resolve(page(SECRET))
  await late.promise
  await new Promise((resolve) => setImmediate(resolve))
  expect(contents(client)).not.toContain(SECRET)
})

test('after a change what is shown is asked again, and what is not is dropped', async () => {
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

test('a question that is still open when something changes is asked again: its answer may be of before', async () => {
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
