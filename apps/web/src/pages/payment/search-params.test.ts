import * as v from 'valibot'
import { expect, it } from 'vitest'
import { paymentSearch } from './search-params.ts'

const read = (search: unknown) => v.parse(paymentSearch, search)

it('takes what the page can show', () => {
  const asked = { tab: 'history', payee: 'did:web:localhost%3A1', receipt: 'ok', under: 'hand' }
  expect(read(asked)).toEqual(asked)
})

it('drops what makes no sense', () => {
  const odd = {
    tab: 'approve',
    payee: '<b>',
    currency: 'pounds',
    receipt: 1,
    under: '..',
    from: '1',
    mandate: '%',
  }
  expect(Object.values(read(odd)).every((value) => value === undefined)).toBe(true)
})
