// A grant that the account revoked gives nothing any more, and neither does what came from it.
import { expect, it } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB, CAROL, CID } from '../test/people.ts'
import type { StoredToken } from './tokens.ts'

freshBrowser()
const vaults = new OpenVaults()

interface Own {
  readonly vault: KeyVault
  /** From the first key to the second, and what the second passed on to Bob. */
  readonly held: StoredToken
  readonly passedOn: StoredToken
  /** DID of the first key. */
  readonly owner: string
}

async function ownKeys(world = new EnclaveWorld()): Promise<Own> {
  const vault = await vaults.start({}, world)
  await vault.create(openedByPasskey())
  const second = await vault.keys.generate({})
  const owner = vault.getSnapshot().issuerDid ?? ''
  const held = await vault.tokens.grant({ audience_did: second.did, command: '/msg' })
  const passedOn = await vault.tokens.narrow({
    ...{ parent_token: held.token, audience_did: BOB, command: '/msg/send' },
  })
  return { vault, held, passedOn, owner }
}

type Sign = (own: Own) => Promise<StoredToken>
const SIGNED: [string, Sign][] = [
  [
    'narrowed',
    ({ vault, held }) =>
      vault.tokens.narrow({ parent_token: held.token, audience_did: CAROL, command: '/msg/send' }),
  ],
  [
    'renewed from what was passed on',
    ({ vault, held, passedOn }) =>
      vault.tokens.narrow({
        ...{ parent_token: passedOn.token, leaf: held.cid, audience_did: BOB, command: '/msg/send' },
      }),
  ],
  [
    'used',
    ({ vault, held, owner }) =>
      vault.tokens.invoke({
        ...{ command: '/msg/send', args: {}, subject_did: owner, proof_token: held.token },
      }),
  ],
]

it.each(SIGNED)('a grant that the account revoked is not %s', async (_how, sign) => {
  const own = await ownKeys()
  const { vault, held } = own
  await sign(own)
  const before = await vault.tokens.list()
  await vault.tokens.revoke({ cid: held.cid })
  await expect(sign(own)).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
    details: { name: 'Revoked', cid: held.cid },
  })
  // Only the revocation is new.
  expect(await vault.tokens.list()).toHaveLength(before.length + 1)
})

it.each(SIGNED)('a grant is %s whatever else was revoked', async (_how, sign) => {
  const own = await ownKeys()
  await own.vault.tokens.revoke({ cid: CID })
  await own.vault.tokens.revoke({ cid: own.passedOn.cid })
  expect((await sign(own)).token).toBeDefined()
})

it('one that starts later is not narrowed once it was revoked', async () => {
  const { vault, owner } = await ownKeys()
  const second = vault.getSnapshot().keys.find(({ did }) => did !== owner)?.did ?? ''
  const start = Math.floor(Date.now() / 1000) + 3600
  const later = await vault.tokens.grant({ audience_did: second, command: '/msg', not_before: start })
  await vault.tokens.revoke({ cid: later.cid })
  await expect(
    vault.tokens.narrow({ parent_token: later.token, audience_did: BOB, command: '/msg' }),
  ).rejects.toMatchObject({ details: { name: 'Revoked' } })
})

it('one that takes too much work to look for revocations in is not used', async () => {
  const { vault, owner } = await ownKeys()
  const second = vault.getSnapshot().keys.find(({ did }) => did !== owner)?.did ?? ''
  const policy = Array.from({ length: 15_000 }, (_, at) => ['!=', '.a', at])
  const long = await vault.tokens.grant({ audience_did: second, command: '/msg', policy })
  await vault.tokens.revoke({ cid: long.cid })
  await expect(
    vault.tokens.invoke({
      ...{ command: '/msg/send', args: { a: -1 }, subject_did: owner, proof_token: long.token },
    }),
  ).rejects.toMatchObject({ code: 'OPERATION_FAILED', details: { name: 'TooMuchWork' } })
})

it('each revocation is opened once while unlocked, and a proof is checked once beside the signing', async () => {
  const world = new EnclaveWorld()
  const { vault, held, passedOn } = await ownKeys(world)
  await vault.tokens.revoke({ cid: CID })
  const narrow = () =>
    vault.tokens.narrow({ parent_token: held.token, audience_did: CAROL, command: '/msg/send' })
  const called = async (name: string, work: () => Promise<unknown>) => {
    const before = world.calls.length
    await work()
    return world.calls.slice(before).filter((call) => call.name === name).length
  }
  expect(await called('open_records', narrow)).toBe(1)
  expect(await called('open_records', narrow)).toBe(0)
  // A new one is opened, and only that one.
  await vault.tokens.revoke({ cid: passedOn.cid })
  const before = world.calls.length
  await narrow()
  const opened = world.calls.slice(before).filter(({ name }) => name === 'open_records')
  expect(opened).toMatchObject([{ input: { records: [{}] } }])
  expect(opened).toHaveLength(1)
  // A lock forgets them.
  await vault.lock()
  await vault.unlock(passkeyProof())
  expect(await called('open_records', narrow)).toBe(1)
  await vault.tokens.revoke({ cid: held.cid })
  expect(await called('verify_token', () => expect(narrow()).rejects.toMatchObject({}))).toBe(1)
})
