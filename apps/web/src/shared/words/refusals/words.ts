import type { MessageDescriptor } from '@lingui/core'
import type { Told } from './by-code.ts'
import { DEVICE_REFUSALS } from './devices.ts'
import { ENCLAVE_REFUSALS } from './enclave.ts'
import { PAYMENT_REFUSALS } from './payment.ts'
import { TOKEN_REFUSALS } from './token.ts'
import { VAULT_REFUSALS } from './vault.ts'
import { WHY } from './why.ts'

/** A text, or a function of the refusal's arguments. */
export type Words = MessageDescriptor | ((args: never) => MessageDescriptor)

/** All refusals with a name. */
export const REFUSALS = tableOf<Told>({
  ...TOKEN_REFUSALS,
  ...PAYMENT_REFUSALS,
  ...VAULT_REFUSALS,
  ...ENCLAVE_REFUSALS,
  ...DEVICE_REFUSALS,
})

/** A refusal's reason, by its `args.why`. */
export const WHYS = tableOf<Words>(WHY)

function tableOf<T>(words: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(words))
}
