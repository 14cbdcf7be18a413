// Many invocations at once, each with different keys and signatures, so that no check is shared. The rate per core uses the processor time
// of the whole process, because WebCrypto in Node verifies on its own threads.
import { createEnclave, createPool } from '@keyhole/enclave'
import { expect, median } from './measure.mjs'
import { chainOf } from './tokens.mjs'

const INVOCATIONS = 1_024
const PROOFS = 5
const SIGNATURES = INVOCATIONS * (PROOFS + 1)
const ROUNDS = 5
/** Invocations in a call, far below what one call's budget allows. */
const PER_CALL = 64
const HOUR = 3_600

/** The seconds it takes, and the seconds of processor time. @param {() => Promise<unknown>} work */
async function spend(work) {
  const start = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - start) / 1_000, cpu: (user + system) / 1_000_000 }
}

/** @param {Record<string, () => Promise<unknown>>} contenders */
async function seconds(contenders) {
  /** @type {Record<string, {wall: number[], cpu: number[]}>} */
  const taken = {}
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, work] of Object.entries(contenders)) {
      const { wall, cpu } = await spend(work)
      if (round === 0) taken[name] = { wall: [], cpu: [] }
      else {
        taken[name].wall.push(wall)
        taken[name].cpu.push(cpu)
      }
    }
  }
  return Object.fromEntries(
    Object.entries(taken).map(([name, { wall, cpu }]) => [name, { wall: median(wall), cpu: median(cpu) }]),
  )
}

export async function figures() {
  const exp = Math.floor(Date.now() / 1000) + HOUR
  const chains = Array.from({ length: INVOCATIONS }, (_, at) => chainOf(PROOFS, { seed: `${at}`, exp }))
  const invocations = chains.map(({ text }) => text)
  const enclave = await createEnclave({ keyless: true })
  const [one, two] = [await createPool({ size: 1 }), await createPool({ size: 2 })]
  const keys = new Map()
  const signatures = chains.flatMap((chain) => chain.signatures)
  for (const { key } of signatures) {
    const name = Buffer.from(key).toString('hex')
    if (!keys.has(name))
      keys.set(name, await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']))
  }
  const checks = signatures.map(({ key, ...rest }) => ({
    ...rest,
    key: keys.get(Buffer.from(key).toString('hex')),
  }))

  const allHold = (results) =>
    expect(results.length === INVOCATIONS && results.every(({ valid }) => valid), 'every invocation holds')
  const taken = await seconds({
    one: async () => allHold(await one.validateBatch({ invocations })),
    two: async () => allHold(await two.validateBatch({ invocations })),
    calls: async () => {
      const results = []
      for (let at = 0; at < INVOCATIONS; at += PER_CALL) {
        const part = { invocations: invocations.slice(at, at + PER_CALL) }
        results.push(...(await enclave.call('validate_batch', part)).results)
      }
      allHold(results)
    },
    web: async () => {
      const answers = await Promise.all(
        checks.map(({ key, signature, message }) => crypto.subtle.verify('Ed25519', key, signature, message)),
      )
      expect(answers.every(Boolean), 'every signature holds')
    },
  })
  await Promise.all([one.close(), two.close(), enclave.close()])
  return [
    {
      title: `validate_batch: ${INVOCATIONS} invocations with ${PROOFS} proofs each, signatures by a core`,
      note: `${SIGNATURES} signatures by as many chains’ own keys. Ours with decoding, policies and results; WebCrypto’s the signatures alone, its keys imported before.`,
      better: 'more',
      rows: [
        { name: 'Keyhole, a pool of one', unit: '/s', value: SIGNATURES / taken.one.cpu },
        { name: `Keyhole, ${PER_CALL} a call`, unit: '/s', value: SIGNATURES / taken.calls.cpu },
        { name: "Node's WebCrypto", unit: '/s', value: SIGNATURES / taken.web.cpu },
      ],
    },
    {
      title: 'validate_batch: the same on two workers and on one',
      better: 'more',
      rows: [
        { name: 'two workers', unit: 'signatures/s', value: SIGNATURES / taken.two.wall },
        { name: 'one worker', unit: 'signatures/s', value: SIGNATURES / taken.one.wall },
      ],
    },
  ]
}
