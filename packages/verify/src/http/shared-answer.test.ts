import { expect, it } from 'vitest'
import { sharedAnswer } from './shared-answer.ts'

it('asks once for all who ask at a time, and again for those who ask after', async () => {
  const asked: ((answer: Promise<number>) => void)[] = []
  const share = sharedAnswer(() => new Promise<number>((resolve) => asked.push(resolve)))
  const ask = () => Array.from({ length: 100 }, () => share().catch((error) => error))
  const first = ask()
  expect(asked).toHaveLength(1)
  asked[0]?.(Promise.resolve(1))
  expect(new Set(await Promise.all(first))).toEqual(new Set([1]))
  const second = ask()
  expect(asked).toHaveLength(2)
  asked[1]?.(Promise.reject('broken'))
  expect(new Set(await Promise.all(second))).toEqual(new Set(['broken']))
  const third = ask()
  expect(asked).toHaveLength(3)
  asked[2]?.(Promise.resolve(3))
  expect(await third[0]).toBe(3)
})
