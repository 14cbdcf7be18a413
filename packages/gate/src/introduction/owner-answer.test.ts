// Who may become the owner of a gate: what comes back for an introduction is anyone's who has seen its link.
import type { ReplyWay } from '@keyhole/holder'
import { expect, it } from 'vitest'
import {
  container,
  delegation,
  type Fields,
  invocation,
  type Person,
  person,
} from '../../../enclave/src/test/naive-tokens.ts'
import { hostileServer, open, owner, stranger, VAULT } from '../test/parts.ts'
import { signedCall } from '../test/signed.ts'
import { ownerCode } from './owner-answer.ts'

const RELAY = `${VAULT}/relay`
const soon = () => BigInt(Math.floor(Date.now() / 1_000) + 300)

interface Waiting {
  /** Of the introduction, in base64url. */
  readonly digest: string
  readonly gate: string
}

/** The signature of an owner, as a vault makes it. */
function own({ digest, gate }: Waiting, relay?: string, changes: Fields = {}, by: Person = owner): string {
  const args = new Map([
    ['introduction', digest],
    ...(relay === undefined ? [] : [['relay', relay] as const]),
  ])
  return container([
    invocation(by, by, [], { cmd: '/service/own', aud: gate, exp: soon(), args, ...changes }),
  ])
}

/** The grant to follow revocations. */
function grant(gate: string, changes: Fields = {}, by: Person = owner): string {
  const fields = { cmd: '/relay/revocations/read', exp: soon(), ...changes }
  return container([delegation(by, { ...stranger, did: gate }, fields)])
}

const text = (json: object) => `keyhole-answer-1.${Buffer.from(JSON.stringify(json)).toString('base64url')}`
const answer = (to: Waiting, token: string, more: object = {}) => text({ request: to.digest, token, ...more })

/** What a gate makes of an answer. */
async function answered(make: (to: Waiting) => string, config: object = { owners: [] }) {
  const { gate } = await open({}, undefined, config)
  let digest = ''
  const reply: ReplyWay = async () => ({
    reply: { loopback: 'http://127.0.0.1:4173/AAAAAAAAAAAAAAAAAAAAAA' },
    async receive(of) {
      digest = Buffer.from(of).toString('base64url')
      return make({ digest, gate: gate.did })
    },
  })
  const introduced = await gate.introduce({ name: 'Office', reply })
  const read = await introduced.answer?.()
  return { read, digest: Buffer.from(digest, 'base64url') }
}

it.each([
  ['nothing', () => ''],
  ['a request', () => 'keyhole-request-1.e30'],
  ['JSON that is no object', () => text([1])],
  ['no', ({ digest }) => text({ request: digest, refused: 'DECLINED', message: 'No.' })],
  ['no signature', ({ digest }) => text({ request: digest })],
  ['something else than a token', (to) => answer(to, 'C')],
  ['the answer to another introduction', (to) => text({ request: 'x', token: own(to) })],
  ['an earlier answer, in a new cover', (to) => answer(to, own({ ...to, digest: 'A'.repeat(43) }))],
  ['the answer to another gate', (to) => answer(to, own({ ...to, gate: person(9).did }))],
  ['an answer to any gate', (to) => answer(to, own(to, undefined, { aud: undefined }))],
  ['an expired one', (to) => answer(to, own(to, undefined, { exp: 1_700_000_000n }))],
  ['another command', (to) => answer(to, own(to, undefined, { cmd: '/service' }))],
  [
    "a signature of someone else's",
    (to) => answer(to, own(to, undefined, {}, { ...stranger, did: owner.did })),
  ],
  ["someone else's name", (to) => answer(to, own(to, undefined, { sub: owner.did }, stranger))],
  [
    'someone who may speak for the owner',
    (to) => {
      const proof = delegation(owner, stranger, { cmd: '/service/own' })
      const args = new Map([['introduction', to.digest]])
      const fields = { cmd: '/service/own', aud: to.gate, exp: soon(), args }
      return answer(to, container([proof, invocation(stranger, owner, [proof], fields)]))
    },
  ],
  [
    'more than is known',
    (to) => {
      const args = new Map([
        ['introduction', to.digest],
        ['owner', stranger.did],
      ])
      return answer(to, own(to, undefined, { args }))
    },
  ],
  ['a giant', (to) => answer(to, own(to), { more: 'x'.repeat(20_000) })],
  ['a relay without a grant', (to) => answer(to, own(to, RELAY))],
  ['a grant without a relay', (to) => answer(to, own(to), { grant: grant(to.gate) })],
  ['a relay elsewhere', (to) => answer(to, own(to, 'https://evil.example/relay'), { grant: grant(to.gate) })],
  [
    'a relay that hides where it is',
    (to) => answer(to, own(to, `${VAULT}@evil.example/relay`), { grant: grant(to.gate) }),
  ],
  [
    'a relay that is not text',
    (to) => answer(to, own(to, undefined, argsWith(to, 7n)), { grant: grant(to.gate) }),
  ],
  ["someone else's grant", (to) => answer(to, own(to, RELAY), { grant: grant(to.gate, {}, stranger) })],
  ['a grant to someone else', (to) => answer(to, own(to, RELAY), { grant: grant(stranger.did) })],
  [
    'a grant of something else',
    (to) => answer(to, own(to, RELAY), { grant: grant(to.gate, { cmd: '/relay' }) }),
  ],
  [
    'an expired grant',
    (to) => answer(to, own(to, RELAY), { grant: grant(to.gate, { exp: 1_700_000_000n }) }),
  ],
] satisfies [string, (to: Waiting) => string][])('is not who answers with %s', async (_, make) => {
  await expect(answered(make)).rejects.toMatchObject({ code: 'INVALID_ANSWER' })
})

function argsWith({ digest }: Waiting, relay: bigint): Fields {
  return {
    args: new Map<string, string | bigint>([
      ['introduction', digest],
      ['relay', relay],
    ]),
  }
}

it('is proposed by an answer that it signed, with a code over all that is taken from it', async () => {
  const plain = await answered((to) => answer(to, own(to)))
  expect(plain.read).toMatchObject({ owner: owner.did, follow: undefined })
  const full = await answered((to) => answer(to, own(to, RELAY), { grant: grant(to.gate) }))
  expect(full.read).toMatchObject({ owner: owner.did, follow: { relay: RELAY } })
  expect(full.read?.code).toBe(await ownerCode(full.digest, owner.did, RELAY))
  const codes = await Promise.all([
    ownerCode(full.digest, owner.did, RELAY),
    ownerCode(full.digest, owner.did),
    ownerCode(full.digest, stranger.did, RELAY),
    ownerCode(plain.digest, owner.did, RELAY),
  ])
  expect(new Set(codes).size).toBe(4)
})

it('has the code that vaults make', async () => {
  const did = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
  const digest = Buffer.alloc(32, 7)
  expect(await ownerCode(digest, did)).toBe('3PXY-XSBN')
  expect(await ownerCode(digest, did, 'https://vault.example/relay')).toBe('9NQM-JHRY')
})

it('is no one new for a gate that has an owner', async () => {
  const owned = { owners: [owner.did] }
  const by = (who: Person) => (to: Waiting) => answer(to, own(to, undefined, {}, who))
  await expect(answered(by(stranger), owned)).rejects.toMatchObject({ code: 'INVALID_ANSWER' })
  expect((await answered(by(owner), owned)).read).toMatchObject({ owner: owner.did })
})

it('is asked for in the introduction, and not in one that waits for nothing', async () => {
  const { gate } = await open({}, undefined, { owners: [] })
  expect((await gate.introduce({ name: 'Office' })).answer).toBeUndefined()
})

it('ends to be waited for when the caller says so', async () => {
  const { gate } = await open({}, undefined, { owners: [] })
  const stop = new AbortController()
  const reply: ReplyWay = async () => ({
    reply: { loopback: 'http://127.0.0.1:4173/AAAAAAAAAAAAAAAAAAAAAA' },
    receive: () => new Promise(() => {}),
  })
  const { answer } = await gate.introduce({ name: 'Office', reply, signal: stop.signal })
  const waiting = answer?.()
  const reason = new Error('That was long enough.')
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

it('lets nothing through without an owner', async () => {
  const { gate } = await open({ bad: hostileServer() }, undefined, { owners: [] })
  const args = { server: 'bad', name: 'echo', arguments: { how: 'x' } }
  const call = signedCall(gate.did, '/mcp/tools/call', args, { command: '/mcp' })
  await expect(gate.servers.get('bad')?.call(call)).rejects.toMatchObject({ code: 'InvalidSubject' })
})
