import { type Enclave, isRefusal } from '@keyhole/enclave'
import { GateError } from '../errors.ts'
import { covers } from '../grants/reach.ts'

/** Which calls a rule is about. */
export interface Rule {
  readonly command?: string | undefined
  readonly policy: readonly unknown[]
}

export interface RuledCall {
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Whether a rule is about a call. It is, too, if that takes too much work to tell. */
export async function matches(
  enclave: Pick<Enclave, 'call'>,
  { command, policy }: Rule,
  call: RuledCall,
): Promise<boolean> {
  if (command !== undefined && !covers(command, call.command)) return false
  if (policy.length === 0) return true
  const { command: called, args } = call
  const answer = await enclave.call('evaluate_policy', {
    call: { command: called, args },
    command: called,
    policy,
  })
  return isRefusal(answer) || !answer.complete || answer.allowed
}

/** Refuses a rule whose policy can't be read. @throws GateError INVALID_CONFIG */
export async function checkRule(
  enclave: Pick<Enclave, 'call'>,
  name: string,
  { policy }: Rule,
): Promise<void> {
  const answer = await enclave.call('evaluate_policy', {
    call: { command: '/', args: {} },
    command: '/',
    policy,
  })
  if (isRefusal(answer))
    throw new GateError(
      'INVALID_CONFIG',
      `A rule of ${name} has a policy that can't be read: ${answer.error}`,
    )
}
