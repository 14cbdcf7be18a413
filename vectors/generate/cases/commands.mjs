// Commands: covered by segments, and written in one way.

import { casesOf } from '../case.mjs'
import { alice, bob, carol } from '../keys.mjs'
import { delegate, invoke } from '../token.mjs'

/** @type {[string, string, boolean][]} */
const COVERED = [
  ['/', '/', true],
  ['/', '/crypto/sign', true],
  ['/crypto', '/crypto', true],
  ['/crypto', '/crypto/sign', true],
  ['/crypto', '/crypto/sign/now', true],
  ['/crypto', '/cryptocurrency', false],
  ['/crypto', '/cryptocurrency/sign', false],
  ['/crypto/sign', '/crypto', false],
  ['/crypto/sign', '/crypto/signature', false],
  ['/crypto', '/', false],
  ['/crypto', '/other', false],
  ['/crypto', '/other/crypto', false],
  ['/crypto-1_a.b', '/crypto-1_a.b/é', true],
]

/** @type {[string, string][]} */
const MALFORMED = [
  ['', 'an empty command'],
  ['crypto', 'no slash at the start'],
  ['/crypto/', 'a slash at the end'],
  ['//', 'two slashes'],
  ['/crypto//sign', 'an empty segment'],
  ['//crypto', 'an empty first segment'],
  ['/Crypto', 'an upper-case letter'],
  ['/crypto/É', 'an upper-case letter that is no ASCII'],
  ['*', 'a star'],
]

/** What covers what, and what is no command. */
export function commands() {
  const { cases, accept, refuse } = casesOf('command')
  for (const [upper, lower, covers] of COVERED) {
    const root = delegate({ from: alice, to: bob, cmd: upper })
    const use = invoke({ by: bob, sub: alice, cmd: lower, proofs: [root] })
    const name = `${upper} ${covers ? 'covers' : 'does not cover'} ${lower}`
    if (covers) accept(name, use, [root], {}, { command: lower })
    else refuse(name, 'InvalidCommand', use, use, [root])
  }
  const crypto = delegate({ from: alice, to: bob, cmd: '/crypto' })
  const currency = delegate({ from: bob, to: carol, sub: alice, cmd: '/cryptocurrency' })
  const all = delegate({ from: bob, to: carol, sub: alice, cmd: '/' })
  const invocation = (/** @type {import('../token.mjs').Token[]} */ proofs, /** @type {string} */ cmd) =>
    invoke({ by: carol, sub: alice, cmd, proofs })
  refuse(
    'a proof does not escalate from /crypto to /cryptocurrency',
    'InvalidCommand',
    currency,
    invocation([crypto, currency], '/cryptocurrency'),
    [crypto, currency],
  )
  refuse(
    'a proof does not escalate from /crypto to /',
    'InvalidCommand',
    all,
    invocation([crypto, all], '/crypto'),
    [crypto, all],
  )
  const sign = delegate({ from: bob, to: carol, sub: alice, cmd: '/crypto/sign' })
  refuse(
    'an invocation does not widen the last proof again',
    'InvalidCommand',
    invocation([crypto, sign], '/crypto'),
    invocation([crypto, sign], '/crypto'),
    [crypto, sign],
  )
  accept('commands narrow along a chain', invocation([crypto, sign], '/crypto/sign/now'), [crypto, sign])

  for (const [cmd, words] of MALFORMED) {
    const token = invoke({ by: alice, cmd })
    refuse(`an invocation with ${words}`, 'MalformedToken', token, token)
    const root = delegate({ from: alice, to: bob, cmd })
    refuse(
      `a delegation with ${words}`,
      'MalformedToken',
      root,
      invoke({ by: bob, sub: alice, proofs: [root] }),
      [root],
    )
  }
  for (const cmd of [null, 1, ['/msg']]) {
    const token = invoke({ by: alice, cmd })
    refuse(`an invocation whose command is ${JSON.stringify(cmd)}`, 'MalformedToken', token, token)
  }
  return cases
}
