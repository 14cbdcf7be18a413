import * as v from 'valibot'
import { expect, it } from 'vitest'
import { searchSearch } from './search-params.ts'

it('drops invalid search parameters, and a token', () => {
  expect(v.parse(searchSearch, { q: 5, kind: 'nope' })).toEqual({})
  expect(v.parse(searchSearch, { q: 'A'.repeat(200) })).toEqual({})
  expect(v.parse(searchSearch, { q: 'kind:grant mail' })).toEqual({ q: 'kind:grant mail' })
})
