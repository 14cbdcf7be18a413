// A service with many requests at once, checked one by one. The checks of one turn of the event loop go to the enclave together. Compared
// with waiting for each before the next, and with jose.
import { compileEnclave, createEnclave, createPool } from '@keyhole/enclave'
import * as jose from 'jose'
import { expect, processorTimes } from './measure.mjs'
import { clientOf } from './tokens.mjs'

const INVOCATIONS = 512
/** Requests that arrive at once. */
const AT_ONCE = 32
const HOUR = 3_600

/**
 * Calls in lanes: each lane makes its next call when it has its answer.
 * @param {number} lanes
 * @param {(at: number) => Promise<unknown>} call
 */
async function inLanes(lanes, call) {
  let next = 0
  const lane = async () => {
    while (next < INVOCATIONS) await call(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

export async function figures() {
  const exp = Math.floor(Date.now() / 1_000) + HOUR
  // Many clients, so that each request has its own proof.
  const clients = Array.from({ length: INVOCATIONS }, (_, at) => clientOf(`in a turn ${at}`, { exp }))
  const invocations = clients.map((client, at) => client.invoke(at))
  const thread = await createEnclave({ keyless: true })
  const here = await createEnclave({ module: await compileEnclave() })
  const pool = await createPool({ size: 2 })
  const holds = ({ valid }) => expect(valid === true, 'it holds')
  const ask = (enclave) => async (at) =>
    holds(await enclave.call('validate_invocation', { invocation: invocations[at] }))
  const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  const jwt = await new jose.SignJWT({ command: '/notes' })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setExpirationTime(exp)
    .sign(privateKey)
  const taken = await processorTimes({
    thread: { run: () => inLanes(AT_ONCE, ask(thread)) },
    here: { run: () => inLanes(AT_ONCE, ask(here)) },
    pool: {
      run: () => inLanes(AT_ONCE, async (at) => holds(await pool.validate({ invocation: invocations[at] }))),
    },
    threadAlone: { run: () => inLanes(1, ask(thread)) },
    hereAlone: { run: () => inLanes(1, ask(here)) },
    jwt: { run: () => inLanes(AT_ONCE, () => jose.jwtVerify(jwt, publicKey)) },
  })
  await Promise.all([thread.close(), here.close(), pool.close()])
  const row = (name, value) => ({ name, unit: 'µs', value: (value / INVOCATIONS) * 1_000 })
  return [
    {
      title: `Invocations with one proof, ${AT_ONCE} at a time, each asked about by itself`,
      note: 'Processor time of the whole process, for each. The last but one are the same calls, one after another.',
      better: 'less',
      rows: [
        row('Keyhole, in a thread', taken.thread),
        row('jose 6.2.18, EdDSA JWT: one signature, where ours has two', taken.jwt),
        row('Keyhole, in process', taken.here),
        row('Keyhole, a pool of two', taken.pool),
        row('Keyhole, in a thread, one after another', taken.threadAlone),
        row('Keyhole, in process, one after another', taken.hereAlone),
      ],
    },
  ]
}
