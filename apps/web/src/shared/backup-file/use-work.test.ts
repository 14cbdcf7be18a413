import { expect, test } from 'vitest'
import { courseWords } from './use-work.ts'

test.each([
  ['how many of how many', { done: 1_200, total: 5_000, took: 1_000 }, '1,200 of 5,000 tokens'],
  ['nothing of the time before anything is done', { done: 0, total: 5, took: 9_000 }, '0 of 5 tokens'],
  [
    'the time that is left, in seconds',
    { done: 100_000, total: 200_000, took: 30_000 },
    '100,000 of 200,000 tokens, about 30 seconds left',
  ],
  [
    'and in minutes',
    { done: 50_000, total: 200_000, took: 60_000 },
    '50,000 of 200,000 tokens, about 3 minutes left',
  ],
])('a work says %s', (_what, course, words) => expect(courseWords(course)).toBe(words))
