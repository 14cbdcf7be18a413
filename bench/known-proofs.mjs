// An enclave doesn't check a delegation twice. Measures what that saves, and that it costs nothing if every token is new, compared with the
// last build without that cache.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createEnclave } from '@keyhole/enclave'
import { expect, processorTimes } from './measure.mjs'
import { chainOf } from './tokens.mjs'

/** The last commit whose artefact doesn't cache checked delegations. */
const FORMER = '2f4801c'
const HOUR = 3_600
/** Chains in which every key and signature is different. */
const CHAINS = 512
/** Invocations in a call: as many as one call's budget allows. */
const PER_CALL = 128
/** Calls in flight, with proofs that are known after the first two. */
const CALLS = 512

/** The artefact of that commit. */
function formerSource() {
  const file = `${FORMER}:packages/enclave/dist/enclave.wasm`
  const options = { cwd: join(import.meta.dirname, '..'), maxBuffer: 1 << 26 }
  const bytes = execFileSync('git', ['show', file], options)
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

export async function figures() {
  const former = formerSource()
  const exp = Math.floor(Date.now() / 1000) + HOUR
  const start = (/** @type {object} */ source) => createEnclave({ keyless: true, ...source })
  const [now, before] = [await start({}), await start({ source: former })]
  const [one, five] = [1, 5].map((proofs) => chainOf(proofs, { seed: `known ${proofs}`, exp }))
  const validate = (enclave, { text: invocation, subject: audience }) => {
    const call = () => enclave.call('validate_invocation', { invocation, audience })
    return {
      run: async () => {
        const answers = await Promise.all(Array.from({ length: CALLS }, call))
        expect(
          answers.every(({ valid }) => valid),
          'every invocation holds',
        )
      },
    }
  }
  const known = await processorTimes({
    five: validate(now, five),
    one: validate(now, one),
    formerFive: validate(before, five),
    formerOne: validate(before, one),
  })
  await Promise.all([now.close(), before.close()])

  // A new enclave each time, so that nothing is known.
  const chains = Array.from({ length: CHAINS }, (_, at) => chainOf(1, { seed: `single ${at}`, exp }))
  const delegations = chains.map(({ proofs: [token] }) => token)
  const invocations = Array.from({ length: CHAINS }, (_, at) => chainOf(5, { seed: `batch ${at}`, exp }).text)
  const contender = (source, work) => {
    let enclave
    return {
      before: async () => {
        enclave = await start(source)
      },
      run: () => work(enclave),
      after: () => enclave.close(),
    }
  }
  const singles = async (enclave) => {
    const answers = await Promise.all(delegations.map((token) => enclave.call('verify_token', { token })))
    expect(
      answers.every(({ valid }) => valid),
      'every delegation holds',
    )
  }
  const batch = async (enclave) => {
    const results = []
    for (let at = 0; at < CHAINS; at += PER_CALL) {
      const part = { invocations: invocations.slice(at, at + PER_CALL) }
      results.push(...(await enclave.call('validate_batch', part)).results)
    }
    expect(results.length === CHAINS && results.every(({ valid }) => valid), 'every invocation holds')
  }
  const taken = await processorTimes({
    singles: contender({}, singles),
    formerSingles: contender({ source: former }, singles),
    batch: contender({}, batch),
    formerBatch: contender({ source: former }, batch),
  })
  const perSecond = (milliseconds, count = CHAINS) => (count / milliseconds) * 1_000
  return [
    {
      title: 'Invocation with 5 known proofs: validate',
      note: 'By a core. An invocation under one known proof, and the build before, which checks every proof each time. The bar beside the second row is 0.71: 1.4 times the cost.',
      better: 'more',
      rows: [
        { name: 'Keyhole, 5 known proofs', unit: '/s', value: perSecond(known.five, CALLS) },
        { name: 'Keyhole, 1 known proof', unit: '/s', value: perSecond(known.one, CALLS) },
        { name: `the build of ${FORMER}, 5 proofs`, unit: '/s', value: perSecond(known.formerFive, CALLS) },
        { name: `the build of ${FORMER}, 1 proof`, unit: '/s', value: perSecond(known.formerOne, CALLS) },
      ],
    },
    {
      title: `Delegation: verify ${CHAINS}, every one new to the enclave`,
      note: 'By a core.',
      better: 'more',
      rows: [
        { name: 'Keyhole', unit: '/s', value: perSecond(taken.singles) },
        { name: `the build of ${FORMER}`, unit: '/s', value: perSecond(taken.formerSingles) },
      ],
    },
    {
      title: `validate_batch: ${CHAINS} invocations with 5 proofs each, ${PER_CALL} a call, every one new to the enclave`,
      note: 'By a core.',
      better: 'more',
      rows: [
        { name: 'Keyhole', unit: '/s', value: perSecond(taken.batch) },
        { name: `the build of ${FORMER}`, unit: '/s', value: perSecond(taken.formerBatch) },
      ],
    },
  ]
}
