// The cost for a holder: signing a call with a grant of five links, compared with the enclave and iso-ucan, which sign the same; and the
// most expensive inputs that its budget allows, in processor time.
import { createEnclave } from '@keyhole/enclave'
import { createHolder, memoryStore } from '@keyhole/holder'
import { EdDSASigner } from 'iso-signatures/signers/eddsa.js'
import { Invocation } from 'iso-ucan/invocation'
import { text } from '../vectors/generate/container.mjs'
import { alice, bob } from '../vectors/generate/keys.mjs'
import { delegate } from '../vectors/generate/token.mjs'
import { expect, processorTimes, rates } from './measure.mjs'

const LINKS = 5
const POLICY = [['==', '.folder', 'notes']]
const ARGS = { folder: 'notes' }
const exp = Math.floor(Date.now() / 1000) + 86_400

/** A chain of grants that ends with one holder, each narrower. @returns {Promise<import('@keyhole/holder').Holder>} */
async function holderOfChain() {
  const first = createHolder({ store: memoryStore() })
  const root = delegate({ from: alice, to: await first.did(), cmd: '/notes', pol: POLICY, exp })
  await first.add(text([root]))
  let last = first
  for (let link = 1; link < LINKS; link += 1) {
    const next = createHolder({ store: memoryStore() })
    const { token } = await last.narrow({ to: await next.did(), policy: POLICY })
    await next.add(token)
    last = next
  }
  return last
}

/** The enclave with a chain of the same length, of its own keys. */
async function enclaveOfChain() {
  const enclave = await createEnclave()
  await enclave.call('create_vault', { passphrase: 'four words that nobody guesses' })
  for (let key = 0; key < LINKS; key += 1) await enclave.call('generate_key', {})
  const { keys } = await enclave.call('list_keys', {})
  let { token } = await enclave.call('new_origin_token', {
    audience_did: keys[1].did,
    command: '/notes',
    policy: POLICY,
  })
  for (let link = 1; link < LINKS; link += 1) {
    const narrowed = await enclave.call('new_attenuated_token', {
      parent_token: token,
      audience_did: keys[link + 1].did,
      command: '/notes',
      policy: POLICY,
    })
    token = narrowed.token
  }
  const invoke = () =>
    enclave.call('invoke', {
      command: '/notes/read',
      args: ARGS,
      subject_did: keys[0].did,
      proof_token: token,
    })
  return { enclave, invoke }
}

/** Grants made to cost a holder as much as possible, and arguments for them. */
function hostile() {
  const grant = (to, pol) => text([delegate({ from: alice, to, cmd: '/notes', pol, exp })], 'P')
  const many = (count, value) => Array.from({ length: count }, () => value)
  return {
    'stars over a long text': {
      make: (to) => grant(to, [['like', '.a', `${'*a'.repeat(20_000)}*b`]]),
      args: { a: 'a'.repeat(400_000) },
    },
    'a part that nearly fits, in 200 statements': {
      make: (to) => grant(to, many(200, ['not', ['like', '.a', `*${'a'.repeat(300)}b*`]])),
      args: { a: 'a'.repeat(100_000) },
    },
    'a path of a thousand slices': {
      make: (to) => grant(to, [['==', `.a${'[1:]'.repeat(1_000)}`, 1]]),
      args: { a: many(20_000, 1) },
    },
    'quantifiers within each other': {
      make: (to) => grant(to, [['any', '.a', ['any', '.', ['any', '.', ['==', '.', 2]]]]]),
      args: { a: many(60, many(60, many(60, 1))) },
    },
    'a megabyte of empty maps': {
      make: (to) => grant(to, [['==', '.a', many(900_000, {})]]),
      args: {},
    },
    'a thousand delegations, of which any may be a link': {
      make: (to) =>
        text(
          Array.from({ length: 1_000 }, (_, at) =>
            delegate({
              from: at % 2 ? alice : bob,
              to: at % 3 ? alice : at % 2 ? bob : to,
              sub: null,
              cmd: '/',
              exp,
              nonce: Buffer.from(`${at}`),
            }),
          ),
          'P',
        ),
      args: {},
    },
  }
}

export async function figures() {
  const holder = await holderOfChain()
  const { enclave, invoke } = await enclaveOfChain()
  const signer = await EdDSASigner.generate()
  const theirs = () =>
    Invocation.create({ iss: signer, sub: signer.did, cmd: '/notes/read', args: ARGS, prf: [], exp })
  const ours = () => holder.invoke('/notes/read', ARGS)
  expect((await ours()).policy.length === 1, 'the holder invokes within one limit')
  expect((await invoke()).token.length > 100, 'the enclave invokes')
  const signed = await rates({ ours, enclave: invoke, theirs }, { inFlight: 16 })
  await enclave.close()

  const inputs = hostile()
  const answers = {}
  const contenders = {}
  for (const [name, { make, args }] of Object.entries(inputs)) {
    const victim = createHolder({ store: memoryStore() })
    const token = make(await victim.did())
    contenders[name] = {
      run: async () => {
        answers[name] = await victim
          .add(token)
          .then(() => victim.invoke('/notes', args))
          .then(
            () => 'signed',
            ({ code }) => code,
          )
      },
    }
  }
  const taken = await processorTimes(contenders, 5)
  return [
    {
      title: `A call signed with a grant of ${LINKS} links`,
      note: 'Ours and the enclave’s judge the whole chain first; iso-ucan signs an invocation of its own resource, and judges nothing.',
      better: 'more',
      rows: [
        { name: 'Keyhole, a holder', unit: '/s', value: signed.ours },
        { name: 'Keyhole, the enclave in its thread', unit: '/s', value: signed.enclave },
        { name: 'iso-ucan 0.5.0, without a chain', unit: '/s', value: signed.theirs },
      ],
    },
    {
      title: 'The costliest grants that a holder is handed, added and used',
      note: 'Processor time. Each either comes to its answer or is refused as TooMuchWork.',
      rows: Object.entries(taken).map(([name, value]) => ({
        name: `${name}: ${answers[name]}`,
        unit: 'ms',
        value,
      })),
    },
  ]
}
