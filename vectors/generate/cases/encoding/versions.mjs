// Tokens of other versions of UCAN, refused by their name.

import { casesOf } from '../../case.mjs'
import { text } from '../../container.mjs'
import { alice, bob } from '../../keys.mjs'
import { delegate, invoke, NOW } from '../../token.mjs'

/** As invocations, as proofs, and in every call. */
export function versions() {
  const { cases, refuse, add } = casesOf('version')
  for (const tag of [
    'ucan/inv@1.0.0-rc.1',
    'ucan/inv@0.10.0',
    'ucan/inv@2.0.0',
    'ucan/inv@1.0.1',
    'ucan/rcp@1.0.0',
  ]) {
    const token = invoke({ by: alice }, { tag })
    refuse(`an invocation under the tag ${tag}`, 'UnsupportedVersion', token, token)
  }
  const root = delegate({ from: alice, to: bob }, { tag: 'ucan/dlg@1.0.0-rc.1' })
  const use = invoke({ by: bob, sub: alice, proofs: [root] })
  refuse('a proof of 1.0.0-rc.1 beside the invocation', 'UnsupportedVersion', root, use, [root])
  refuse('a proof of 1.0.0-rc.1 in a text of its own', 'UnsupportedVersion', root, use, [], {
    proofs: [text([root])],
  })
  const refused = { valid: false, error: { name: 'UnsupportedVersion', cid: root.cid } }
  add(
    'verify_token',
    'a delegation of 1.0.0-rc.1 does not verify',
    { token: text([root]), now: NOW },
    refused,
  )
  add(
    'inspect_token',
    'a delegation of 1.0.0-rc.1 is not shown',
    { token: text([root]) },
    {
      code: 'OPERATION_FAILED',
      name: 'UnsupportedVersion',
    },
  )
  const jwt = 'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ1Y3YiOiIwLjEwLjAifQ.AAAA'
  const outdated = { valid: false, error: { name: 'UnsupportedVersion' } }
  add('verify_token', 'a JWT, as UCAN was up to 0.10', { token: jwt, now: NOW }, outdated)
  return cases
}
