import 'fake-indexeddb/auto'
import { createEnclave, isRefusal } from '@keyhole/enclave'
import { KeyVault, VaultError } from '@keyhole/vault'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FILES, FOLDERS, isOpen, outcomeOf, termsOf } from './story.ts'

type Enclave = Awaited<ReturnType<typeof createEnclave>>
let enclave: Enclave
let owner: KeyVault
let agent: KeyVault

async function vault(): Promise<KeyVault> {
  const made = new KeyVault({
    enablePersistence: false,
    wasmSource: 'bundled',
    assessPassphrase: async () => ({ score: 4 }),
  })
  await made.initialize()
  await made.create({ passphrase: 'violet anvil harbour thirty' })
  return made
}

beforeAll(async () => {
  enclave = await createEnclave({ keyless: true })
  owner = await vault()
  agent = await vault()
})
afterAll(async () => {
  await Promise.all([enclave.close(), owner.cleanup(), agent.cleanup()])
})

const didOf = (of: KeyVault) => of.getSnapshot().issuerDid ?? expect.fail('no DID')

/** What becomes of one try under a real grant: the agent's vault refuses to sign what lies outside, and a service refuses the rest. */
async function verdictOn(grant: { token: string; cid: string }, path: string, isRevoked: boolean) {
  const signed = await agent.tokens
    .invoke({ command: '/file/read', args: { path }, subject_did: didOf(owner), proof_token: grant.token })
    .catch((error: unknown) =>
      error instanceof VaultError
        ? { refusal: Reflect.get(error.details ?? {}, 'name') }
        : expect.fail(String(error)),
    )
  if ('refusal' in signed) return signed.refusal
  const verdict = await enclave.call('validate_invocation', {
    invocation: signed.token,
    revoked: isRevoked ? [grant.cid] : [],
  })
  if (isRefusal(verdict)) return verdict.name
  return verdict.valid ? 'Read' : verdict.error.name
}

test.each(FOLDERS)('what is said of a grant of %s is what is decided', async (folder) => {
  const grant = await owner.tokens.grant({ audience_did: didOf(agent), ...termsOf({ folder, time: 'day' }) })
  for (const file of FILES) {
    expect(await verdictOn(grant, file, false), file).toBe(outcomeOf(folder, file, false))
    if (isOpen(folder, file)) expect(await verdictOn(grant, file, true), file).toBe('Revoked')
  }
})
