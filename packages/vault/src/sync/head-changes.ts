import { declaredOf, type EnclaveAnswer } from '@keyhole/enclave'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import type { Change, ChangingExport } from '../session/changes.ts'
import type { DeviceAnswer, HeadChange } from './device-calls.ts'

/** The change of the head that does the same; undefined for what each device has of its own. */
export async function headChangeOf<Name extends ChangingExport>({
  name,
  input,
}: Change<Name>): Promise<{ readonly change: HeadChange; readonly label: string | undefined } | undefined> {
  const [group] = declaredOf(name).forAllDevices ?? []
  if (group === undefined) return undefined
  const given: Readonly<Record<string, unknown>> = {
    ...(typeof input === 'function' ? await input() : input),
  }
  // Each device has names of its own.
  const { label, ...change } = given
  return { change: { [group]: { [name]: change } }, label: typeof label === 'string' ? label : undefined }
}

/** Whether all devices have to learn of what an export does. */
export function isForAll(name: string): boolean {
  return declaredOf(name).forAllDevices !== undefined
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
