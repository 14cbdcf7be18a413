import { expect, it } from 'vitest'
import { callPlugin } from '../enclave/plugin.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { BOB } from '../test/people.ts'
import { forged } from '../test/vectors.ts'
import { areSound } from './opened-backup.ts'

const FAILED = 'The test could not begin'
const PROOF = { passphrase: 'correct horse battery staple' }

it('says of many texts which are sound, also if they are more work together than one call may be', async () => {
  const world = new EnclaveWorld()
  const enclave = await world.createEnclave()
  await callPlugin(enclave, 'create_vault', { ...PROOF, label: 'Alice' }, FAILED)
  const { key } = await callPlugin(enclave, 'generate_key', { key_type: 'p256' }, FAILED)
  const grant = { audience_did: BOB, command: '/msg/send', key_id: key.key_id }
  const { token } = await callPlugin(enclave, 'new_origin_token', grant, FAILED)

  const unsound = new Map([
    [7, forged().token],
    [333, 'no token'],
    [599, ''],
  ])
  const texts = Array.from({ length: 600 }, (_, at) => unsound.get(at) ?? token)
  world.calls.length = 0
  expect(await areSound(enclave, texts)).toEqual(texts.map((_, at) => !unsound.has(at)))
  const sent = world.calls.map(({ input }) => (input as { tokens: string[] }).tokens.length)
  expect(sent[0]).toBe(600)
  expect(sent.length).toBeGreaterThan(1)

  world.calls.length = 0
  expect(await areSound(enclave, [])).toEqual([])
  expect(world.calls).toEqual([])
  await enclave.close()
  await expect(areSound(enclave, [token])).rejects.toThrow()
})

it('asks about texts in more than one call if they are too long for one', async () => {
  const world = new EnclaveWorld()
  const enclave = await world.createEnclave()
  const { token } = forged()
  const texts = Array.from({ length: 40 }, (_, at) => token + ' '.repeat(1_000_000 * Number(at > 20)))
  expect(await areSound(enclave, texts)).toEqual(texts.map(() => false))
  expect(world.calls.length).toBeGreaterThan(2)
  await enclave.close()
})
