import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox } from '../engine/sandbox.ts'
import { judgeAnswer } from './attack.ts'
import { ATTACK_GROUPS } from './index.ts'

/** What refuses each attack. A different name would need a different explanation. */
const REFUSED_BY: Readonly<Record<string, string>> = {
  byte: 'InvalidSignature',
  rewrite: 'InvalidSignature',
  proof: 'InvalidAudience',
  alone: 'InvalidSubject',
  file: 'InvalidSignature',
  widen: 'InvalidCommand',
  lookalike: 'InvalidCommand',
  limit: 'MatchError',
  outlive: 'InvalidClaim',
  late: 'Expired',
  early: 'TooEarly',
  stolen: 'InvalidAudience',
  replay: 'Replayed',
  elsewhere: 'InvalidAudience',
  revoked: 'Revoked',
  locked: 'VaultLocked',
  guess: 'WrongPassphrase',
  weaken: 'StateDamaged',
}

describe('the attacks of the demo', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await Sandbox.make({})
  })
  afterAll(() => sandbox?.enclave.close())

  it.each(ATTACK_GROUPS.flatMap(({ attacks }) => attacks))('$id is refused', async ({ id, run }) => {
    await sandbox.ready()
    expect(judgeAnswer(await run(sandbox))).toMatchObject({ refused: true, by: REFUSED_BY[id] })
    // The vault still works as before.
    await sandbox.ask('verify_token', { token: sandbox.token })
    await sandbox.ask('sign_data', { data: [1] })
  })
})
