import { expect, test, vi } from 'vitest'
import { type MessageQueue, queueUntilLoaded } from './message-queue.ts'
import { later } from './test/later.ts'

const QUESTION = { do: 'answer', id: 1, question: { ask: 'counts', now: 0 } } as const
const newReceiver = () => ({ hear: vi.fn(), end: vi.fn(async () => undefined) })

test('passes on what was heard before there is a receiver, and what comes after', async () => {
  const receiver = newReceiver()
  const loading = later<MessageQueue>()
  const queue = queueUntilLoaded(loading.promise, () => undefined)
  queue.hear(QUESTION)
  loading.resolve(receiver)
  await loading.promise
  queue.hear({ do: 'follow' })
  await vi.waitFor(() => expect(receiver.hear.mock.calls).toEqual([[QUESTION], [{ do: 'follow' }]]))
})

test('drops what waits when it ends, and ends its receiver once there is one', async () => {
  const receiver = newReceiver()
  const loading = later<MessageQueue>()
  const queue = queueUntilLoaded(loading.promise, () => undefined)
  queue.hear(QUESTION)
  const ending = queue.end()
  loading.resolve(receiver)
  await ending
  expect(receiver.end).toHaveBeenCalledOnce()
  expect(receiver.hear).not.toHaveBeenCalled()
})

test('refuses a question if there is no receiver, and none after its end', async () => {
  const tell = vi.fn()
  const queue = queueUntilLoaded(Promise.reject(new Error('not loaded')), tell)
  queue.hear(QUESTION)
  await vi.waitFor(() => expect(tell).toHaveBeenCalledOnce())
  queue.hear(QUESTION)
  await queue.end()
  await new Promise((resolve) => setTimeout(resolve))
  expect(tell).toHaveBeenCalledOnce()
})
