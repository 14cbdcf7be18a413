// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import {
  handedOver,
  LONGEST_IN_LINK,
  linkFor,
  onHandedOver,
  putHandedOverAway,
  readFragment,
  takeHandedOver,
} from './handed-over.ts'

const TOKEN = `C${'aB3_-'.repeat(60)}`
const SECRET = 'aB3_-aB3_-aB3_-aB3_-ag'

afterEach(putHandedOverAway)

it('reads back what a link was made of', () => {
  const link = linkFor(TOKEN, undefined, 'https://keyhole.example')
  expect(link).toMatch(/^https:\/\/keyhole\.example\/identity\?tab=check#token=C/)
  expect(readFragment(new URL(link ?? '').hash)).toEqual({ text: TOKEN })
  const asks = linkFor(TOKEN, SECRET, 'https://keyhole.example')
  expect(readFragment(new URL(asks ?? '').hash)).toEqual({ text: TOKEN, secret: SECRET })
})

it('makes no link that it would refuse', () => {
  const longest = 'C'.padEnd(LONGEST_IN_LINK, 'a')
  const read = (secret?: string) =>
    readFragment(new URL(linkFor(longest, secret, 'https://a.example') ?? '').hash)
  expect(read()).toEqual({ text: longest })
  expect(read(SECRET)).toEqual({ text: longest, secret: SECRET })
  expect(linkFor(`${longest}a`)).toBeUndefined()
})

it.each([
  ['another fragment', '#page', undefined],
  ['none', '', undefined],
  ['another name', `#tokens=${TOKEN}`, undefined],
  ['nothing', '#token=', 'no-token'],
  ['a stump', `#token=${TOKEN.slice(0, 100)}`, 'no-token'],
  ['markup', `#token=C<img src=x onerror=alert(1)>${TOKEN}`, 'no-token'],
  ['escapes, which are not decoded', `#token=%43${TOKEN}`, 'no-token'],
  ['a full stop after it', `#token=${TOKEN}.`, 'no-token'],
  ['another parameter', `#token=${TOKEN}&next=https://evil.example`, 'no-token'],
  ['a secret alone', `#token=&opened=${SECRET}`, 'no-token'],
  ['a secret that is too long', `#token=${TOKEN}&opened=a${SECRET}`, 'no-token'],
  ['a secret in other letters', `#token=${TOKEN}&opened=${SECRET.slice(0, -1)}x`, 'no-token'],
  ['two secrets', `#token=${TOKEN}&opened=${SECRET}&opened=${SECRET}`, 'no-token'],
  ['another encoding', `#token=B${TOKEN}`, 'no-token'],
  ['a line break', `#token=${TOKEN}\n`, 'no-token'],
  ['letters from elsewhere', `#token=С${TOKEN}`, 'no-token'],
  ['too much', `#token=C${'a'.repeat(LONGEST_IN_LINK)}`, 'too-long'],
  ['megabytes', `#token=${'<'.repeat(5_000_000)}`, 'too-long'],
])('a fragment with %s', (_what, hash, problem) => {
  expect(readFragment(hash)).toEqual(problem === undefined ? undefined : { problem })
})

it('takes a token out of the address at once, and one that comes later too', () => {
  let heard = 0
  const stop = onHandedOver(() => {
    heard += 1
  })
  history.replaceState({ kept: 1 }, '', `/identity?tab=check#token=${TOKEN}`)
  takeHandedOver()
  expect(handedOver()).toEqual({ text: TOKEN })
  expect(location.href).toMatch(/\/identity\?tab=check$/)
  expect(history.state).toEqual({ kept: 1 })

  history.replaceState(null, '', '/?view=graph#token=nonsense')
  dispatchEvent(new PopStateEvent('popstate'))
  expect(handedOver()).toEqual({ problem: 'no-token' })
  expect(location.href).toMatch(/\/\?view=graph$/)
  expect(heard).toBe(2)
  stop()
})

it('leaves every other fragment where it is', () => {
  history.replaceState(null, '', '/identity#page')
  takeHandedOver()
  expect(location.hash).toBe('#page')
  expect(handedOver()).toBeUndefined()
})
