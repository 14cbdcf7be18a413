// Showing a token checks its form and its signature, and nothing else.

import { casesOf } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, koblitz, mallory, nist } from '../keys.mjs'
import { delegate, invoke } from '../token.mjs'

/** Each kind and algorithm. */
export function inspections() {
  const { cases, add } = casesOf('inspection')
  for (const [key, algorithm] of /** @type {const} */ ([
    [alice, 'Ed25519'],
    [nist, 'ES256'],
    [koblitz, 'ES256K'],
  ])) {
    const token = delegate({ from: key, to: bob, exp: 0 })
    add(
      'inspect_token',
      `a delegation of ${algorithm}, expired`,
      { token: text([token]) },
      {
        tokens: [
          {
            cid: token.cid,
            kind: 'delegation',
            algorithm,
            signature_valid: true,
            payload: { iss: key.did, aud: bob.did, sub: key.did, cmd: '/msg', pol: [], exp: 0 },
          },
        ],
      },
    )
  }
  const forged = delegate({ from: alice, to: bob, signer: mallory })
  add(
    'inspect_token',
    'a delegation that its issuer did not sign',
    { token: text([forged]) },
    {
      tokens: [{ cid: forged.cid, signature_valid: false }],
    },
  )
  const invocation = invoke({
    by: alice,
    args: { to: 'bob', bytes: Buffer.from([1, 2]), amount: 18_446_744_073_709_551_615n },
    exp: null,
  })
  add(
    'inspect_token',
    'an invocation with every digit of its arguments',
    { token: text([invocation]) },
    {
      tokens: [
        {
          cid: invocation.cid,
          kind: 'invocation',
          signature_valid: true,
          payload: {
            iss: alice.did,
            sub: alice.did,
            cmd: '/msg/send',
            prf: [],
            exp: null,
            args: { to: 'bob', bytes: { '/': { bytes: 'AQI' } }, amount: 18_446_744_073_709_551_615n },
          },
        },
      ],
    },
  )
  const slash = delegate({ from: alice, to: bob, meta: { '/': 'x' } })
  add(
    'inspect_token',
    'a token with a map that DAG-JSON keeps for links',
    { token: text([slash]) },
    { code: 'OPERATION_FAILED', name: 'MalformedToken', cid: slash.cid },
  )
  return cases
}
