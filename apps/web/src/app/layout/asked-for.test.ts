import { expect, test } from 'vitest'
import { askedFor } from './asked-for.ts'

test.each([
  ['/no/such/page', 'no such page'],
  ['/', ''],
  ['/holiday_mails.html', 'holiday mails'],
  ['/T%C3%BCr/100%', 'Tür 100%'],
  ['/did:key:z6MkhaXg', 'did:key:z6MkhaXg'],
])('%s asks for “%s”', (pathname, words) => expect(askedFor(pathname)).toBe(words))

test('a very long address is cut', () => expect(askedFor(`/${'a'.repeat(5000)}`)).toHaveLength(200))
