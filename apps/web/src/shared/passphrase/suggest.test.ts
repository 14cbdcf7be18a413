import { readFileSync } from 'node:fs'
import { loadEstimator } from '@keyhole/vault/passphrase-estimate'
import { expect, test } from 'vitest'
import { judge } from './strength.ts'
import { suggestPassphrase } from './suggest.ts'

test('suggests six words, different each time, that are strong enough', async () => {
  const estimator = await loadEstimator()
  const suggested = await Promise.all(Array.from({ length: 20 }, suggestPassphrase))
  expect(new Set(suggested).size).toBe(20)
  for (const passphrase of suggested) {
    expect(passphrase).toMatch(/^[a-z]{3,8}(?: [a-z]{3,8}){5}$/)
    expect(judge(estimator, passphrase, []).enough).toBe(true)
  }
})

test('its list is the one used for recovery phrases', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('./english-words.txt')).toBe(read('../../../../../crates/vault/src/keys/mnemonic_english.txt'))
})
