import { isAnswer } from '@keyhole/enclave'
import { ThreadlessWorker } from '../../../enclave/src/test/in-this-thread.ts'
import type { TokenRecord } from '../storage/schema.ts'
import { passkeyInput } from '../unlock/unlock-proof.ts'
import { openedByPasskey } from './opening.ts'
import { BOB } from './people.ts'

/** Creates many tokens, signed by an account that no longer exists. */
export async function manyTokens(count: number): Promise<{ token: string; cid: string }[]> {
  const enclave = await new ThreadlessWorker('worker').start()
  const { passkey } = openedByPasskey()
  if (passkey) await enclave.call('create_vault', { passkey: passkeyInput(passkey), recovery_code: true })
  const made: { token: string; cid: string }[] = []
  for (let number = 0; number < count; number += 1) {
    const input = { audience_did: BOB, command: `/msg/${number}` }
    const answer = await enclave.callByName('new_origin_token', input)
    if (isAnswer('new_origin_token', answer)) made.push({ token: answer.token, cid: answer.cid })
  }
  await enclave.close()
  return made
}

/** Records of those tokens, with the details copied from one of them. */
export function recordsOf(
  tokens: readonly { token: string; cid: string }[],
  like: TokenRecord,
): TokenRecord[] {
  return tokens.map(({ token, cid }, index) => ({ ...like, id: `many-${index}`, cid, token }))
}
