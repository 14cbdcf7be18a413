import { createEnclave } from '@keyhole/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SAMPLE, SAMPLE_CAPABILITY, widened } from './sample.ts'

type Enclave = Awaited<ReturnType<typeof createEnclave>>
let enclave: Enclave

beforeAll(async () => {
  enclave = await createEnclave({ keyless: true })
})
afterAll(() => enclave.close())

test('the sample holds, and says what its sentence says', async () => {
  const { issuer, audience, subject, command, policy, expiresAt = 0 } = SAMPLE_CAPABILITY
  expect(await enclave.call('verify_token', { token: SAMPLE })).toMatchObject({
    valid: true,
    chain: [{ issuer, audience, subject, command, policy, not_before: null, expires_at: expiresAt / 1000 }],
  })
})

test('widened, it is refused for its signature', async () => {
  expect(widened(SAMPLE)).not.toBe(SAMPLE)
  expect(await enclave.call('verify_token', { token: widened(SAMPLE) })).toMatchObject({
    valid: false,
    error: { name: 'InvalidSignature' },
  })
})
