import { expect, it, vi } from 'vitest'
import { pipeline } from './pipeline.ts'

/** Work that ends when a test says so, and what has been asked for and begun. */
function world({
  most = 3,
  long = [] as number[],
  count = 8,
  failing = undefined as number | undefined,
} = {}) {
  const asked: number[] = []
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  let closed = 0
  const items = (async function* () {
    try {
      for (let item = 0; item < count; item += 1) {
        asked.push(item)
        if (item === failing) throw new Error('unreadable')
        yield item
      }
    } finally {
      closed += 1
    }
  })()
  const work = (item: number) => {
    begun.push(item)
    return new Promise<string>((resolve) => ends.set(item, () => resolve(`made of ${item}`)))
  }
  const results = pipeline(items, work, { most, isLong: (item) => long.includes(item) })
  const end = async (...which: number[]) => {
    for (const item of which) {
      await vi.waitFor(() => expect(ends.has(item)).toBe(true))
      ends.get(item)?.()
    }
  }
  return { asked, begun, results, end, isClosed: () => closed > 0 }
}

it('works on so many at a time, and gives the results in order', async () => {
  const { begun, results, end } = world()
  const first = results.next()
  await end(2, 1)
  expect(begun).toEqual([0, 1, 2])
  await end(0)
  expect(await first).toEqual({ done: false, value: 'made of 0' })
  expect(await results.next()).toEqual({ done: false, value: 'made of 1' })
  expect(await results.next()).toEqual({ done: false, value: 'made of 2' })
  await vi.waitFor(() => expect(begun).toEqual([0, 1, 2, 3, 4]))
  const rest: string[] = []
  const reading = (async () => {
    for await (const result of results) rest.push(result)
  })()
  await end(3, 4, 5, 6, 7)
  await reading
  expect(rest).toEqual([3, 4, 5, 6, 7].map((item) => `made of ${item}`))
})

it('asks for nothing after a long item until the caller is done with it', async () => {
  const { asked, results, end } = world({ long: [1] })
  const first = results.next()
  await end(0, 1)
  expect(await first).toEqual({ done: false, value: 'made of 0' })
  expect(await results.next()).toEqual({ done: false, value: 'made of 1' })
  expect(asked).toEqual([0, 1])
  const third = results.next()
  await end(2)
  expect(await third).toEqual({ done: false, value: 'made of 2' })
  expect(asked).toContain(2)
})

it('fails in its turn if an item cannot be read or worked on, and then closes the source', async () => {
  const { results, end, isClosed } = world({ failing: 2 })
  const first = results.next()
  await end(0, 1)
  expect(await first).toEqual({ done: false, value: 'made of 0' })
  expect(await results.next()).toEqual({ done: false, value: 'made of 1' })
  await expect(results.next()).rejects.toThrow('unreadable')
  expect(isClosed()).toBe(true)

  const items = (async function* () {
    yield* [0, 1, 2]
  })()
  const fail = async (item: number) => {
    if (item === 1) throw new Error('broken')
    return item
  }
  const found: number[] = []
  const reading = (async () => {
    for await (const item of pipeline(items, fail, { most: 3, isLong: () => false })) found.push(item)
  })()
  await expect(reading).rejects.toThrow('broken')
  expect(found).toEqual([0])
})

it('closes the source when the caller stops', async () => {
  const { results, end, isClosed } = world({ most: 1 })
  const first = results.next()
  await end(0)
  await first
  await results.return(undefined)
  expect(isClosed()).toBe(true)
})
