// Signed calls for tests and measurements of a cluster.
import { randomBytes } from 'node:crypto'
import { text } from '../../vectors/generate/container.mjs'
import { alice, bob } from '../../vectors/generate/keys.mjs'
import { delegate, invoke } from '../../vectors/generate/token.mjs'

/** Whose grants the gates honour. */
export const owner = alice
/** Who calls. */
export const holder = bob

const inAMinute = () => Math.floor(Date.now() / 1_000) + 60

/** A grant to the holder, different each time. */
export const grant = () => delegate({ from: owner, to: holder, cmd: '/http', nonce: randomBytes(12) })

/** The grant by which a gate reads the owner's feed. @param {string} gate DID */
export const follow = (gate) =>
  text([delegate({ from: owner, to: gate, cmd: '/relay/revocations/read', nonce: randomBytes(12) })])

/** A call of the service `api`, as text. @param {string} gate DID @param {ReturnType<typeof grant>} by @param {object} [body] */
export function call(gate, by, body) {
  const args = { service: 'api', path: '/x', ...(body && { body }) }
  const one = invoke({
    ...{ by: holder, sub: owner, proofs: [by], aud: gate, cmd: body ? '/http/post' : '/http/get' },
    ...{ args, exp: inAMinute(), nonce: randomBytes(12) },
  })
  return text([by, one])
}

/** What revokes a grant, as a vault posts it. @param {ReturnType<typeof grant>} revoked */
export function revocation(revoked) {
  const args = { revoke: revoked.link }
  const one = invoke({ by: owner, cmd: '/ucan/revoke', args, nonce: Buffer.alloc(0), exp: null })
  return JSON.stringify({ revocation: text([one]), token: text([revoked]) })
}

/** Sends a call to a gate. @param {string} url @param {string} token @returns {Promise<string>} `ok`, or why not */
export async function send(url, token) {
  try {
    const response = await fetch(`${url}/http/api`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(20_000),
    })
    const said = await response.text()
    if (response.headers.get('x-keyhole-answered-by') === 'service') return 'ok'
    return String(Object(JSON.parse(said).error).name)
  } catch {
    return 'gone'
  }
}

/** The DID of a gate. @param {string} url */
export async function didOf(url) {
  return String(Object(await (await fetch(`${url}/gate`)).json()).did)
}
