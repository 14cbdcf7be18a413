import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FAULTS } from './mutation-faults.mjs'
import { root } from './suites.mjs'

// The check itself takes half an hour, so no one runs it often enough to see that a fault can't be made any more.
it.each(FAULTS)('can be made in $file: $what', ({ file, from, to }) => {
  expect(to).not.toBe(from)
  expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2)
})
