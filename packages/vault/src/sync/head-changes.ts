import type { EnclaveAnswer } from '@keyhole/enclave'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import type { Change, ChangingExport } from '../session/changes.ts'
import type { DeviceAnswer, HeadChange } from './device-calls.ts'

/** Changes that all devices have to learn of, by the export that makes them on an account with one device. */
const CHANGES: Readonly<Record<string, (input: Fields) => HeadChange>> = {
  generate_key: ({ key_type }) => ({ generate_key: { ...(key_type !== undefined && { key_type }) } }),
  import_key: ({ key }) => ({ import_key: { key } }),
  delete_key: ({ key_id }) => ({ delete_key: { key_id } }),
  set_default_key: ({ key_id }) => ({ set_default_key: { key_id } }),
  set_passphrase: ({ passphrase }) => ({ set_passphrase: { passphrase } }),
  add_passkey: ({ passkey }) => ({ add_passkey: { passkey } }),
  new_recovery_code: () => ({ new_recovery_code: {} }),
  remove_unlock_method: ({ method_id }) => ({ remove_unlock_method: { method_id } }),
}

type Fields = Readonly<Record<string, unknown>>

/** The change of the head that does the same; undefined for what each device has of its own. */
export async function headChangeOf<Name extends ChangingExport>({
  name,
  input,
}: Change<Name>): Promise<{ readonly change: HeadChange; readonly label: string | undefined } | undefined> {
  const make = CHANGES[name]
  if (!make) return undefined
  const given: Fields = { ...(typeof input === 'function' ? await input() : input) }
  return { change: make(given), label: typeof given.label === 'string' ? given.label : undefined }
}

/** Whether all devices have to learn of what an export does. */
export function isForAll(name: string): boolean {
  return Object.hasOwn(CHANGES, name)
}

/** What the export would have answered, once the head is in force. */
export function answerOf<Name extends ChangingExport>(
  { key_id: keyId, method_id: methodId, recovery_code: code }: DeviceAnswer<'propose_head'>,
  adopted: { readonly status: EnclaveStatus; readonly enclave: string },
): EnclaveAnswer<Name> {
  const key = adopted.status.keys.find((each) => each.key_id === keyId)
  const answer: object = {
    ...{ status: adopted.status, enclave: adopted.enclave },
    ...(key && { key }),
    ...(methodId !== undefined && { method_id: methodId }),
    ...(code !== undefined && { recovery_code: code }),
  }
  // Each of these exports answers with what it made.
  return answer as EnclaveAnswer<Name>
}
