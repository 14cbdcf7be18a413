import { expect, it } from 'vitest'
import { closedLastFirst } from './closed-last-first.ts'

it('closes all, the last one first, although one fails', async () => {
  const closed: string[] = []
  const opened = closedLastFirst()
  const part = (name: string, fails = false) => ({
    async close() {
      closed.push(name)
      if (fails) throw new Error(name)
    },
  })
  for (const each of [part('first'), part('second', true), part('third', true)]) opened.add(each)
  await expect(opened.close()).rejects.toThrow('third')
  expect(closed).toEqual(['third', 'second', 'first'])
  await opened.close()
  expect(closed).toHaveLength(3)
})
