import { beforeAll, expect, it } from 'vitest'
import { type InProcessEnclave, inProcessEnclave } from '../../../enclave/src/test/in-process.ts'
import { container, delegation, person } from '../../../enclave/src/test/naive-tokens.ts'
import { createHolder } from '../holder/holder.ts'
import { memoryStore } from '../stores/memory-store.ts'
import { signRevocation } from './sign-revocation.ts'

const owner = person(1)
const service = person(9).did
let enclave: InProcessEnclave
beforeAll(async () => {
  enclave = await inProcessEnclave()
})

/** A holder with a grant, of which it passed on a part to another, who passed it on again. */
async function chain() {
  const stores = [memoryStore(), memoryStore(), memoryStore()] as const
  const [first, second, third] = [
    createHolder({ store: stores[0] }),
    createHolder({ store: stores[1] }),
    createHolder({ store: stores[2] }),
  ]
  await first.add(container([delegation(owner, { ...owner, did: await first.did() }, { cmd: '/notes' })]))
  const part = await first.narrow({ to: await second.did(), command: '/notes/read' })
  await second.add(part.token)
  const less = await second.narrow({ to: await third.did(), expiresIn: 60 })
  await third.add(less.token)
  /** Whether a call of each is valid, with a revocation. */
  const valid = async (revocation: string) => {
    const answers: unknown[] = []
    for (const holder of [first, second, third]) {
      const { token: invocation } = await holder.invoke('/notes/read', {}, { audience: service })
      const asked = { invocation, revocations: [revocation] }
      answers.push(Object(await enclave.call('validate_invocation', asked)).valid)
    }
    return answers
  }
  return { stores, part, less, valid }
}

it('ends what was passed on, and what was passed on from it, but not what it comes from', async () => {
  const { stores, part, less, valid } = await chain()
  const over = await signRevocation(stores[0], part.token)
  expect(over).toMatchObject({ revokes: part.cid, subject: owner.did })
  expect(await valid(over.revocation)).toEqual([true, false, false])
  expect(await valid((await signRevocation(stores[1], less.token)).revocation)).toEqual([true, true, false])
  // Someone above may end what others passed on, and either part of one text.
  expect(await valid((await signRevocation(stores[0], less.token)).revocation)).toEqual([true, true, false])
  const named = await signRevocation(stores[0], less.token, { leaf: part.cid })
  expect(named).toMatchObject({ revokes: part.cid })
  expect(await valid(named.revocation)).toEqual([true, false, false])
})

it('is as the enclave writes one: without an expiry, and the same each time', async () => {
  const { stores, part } = await chain()
  const { revocation, token } = await signRevocation(stores[0], part.token)
  expect((await signRevocation(stores[0], part.token)).revocation).toBe(revocation)
  const inspected = Object(await enclave.call('inspect_token', { token: revocation }))
  expect(inspected.tokens).toMatchObject([
    {
      payload: {
        cmd: '/ucan/revoke',
        args: { revoke: { '/': part.cid } },
        exp: null,
        nonce: { '/': { bytes: '' } },
      },
    },
  ])
  expect(await enclave.call('verify_token', { token })).toMatchObject({ valid: true })
})

it('ends a grant that has expired by this clock', async () => {
  const { stores, less } = await chain()
  const clock = () => Date.now() + 3_600_000
  expect(await signRevocation(stores[1], less.token, { clock })).toMatchObject({ revokes: less.cid })
})

it('is refused to those who passed on nothing', async () => {
  const { stores, part } = await chain()
  for (const store of [stores[1], memoryStore()])
    await expect(signRevocation(store, part.token)).rejects.toMatchObject({
      code: 'InvalidSubject',
      cid: part.cid,
    })
  await expect(signRevocation(stores[0], 'nothing')).rejects.toMatchObject({ code: 'MalformedToken' })
})
