import type { AnyExport, Enclave, UnlockProofInput } from '@keyhole/enclave'
import { isRefusal } from '@keyhole/enclave'
import * as v from 'valibot'
import { refused, VaultError } from '../base/errors.ts'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import type { RelayCall } from './relay.ts'
import type { ThingKind } from './things.ts'

const id = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const deviceStatus = v.looseObject({
  device: id,
  members: v.array(id),
  limited: v.array(id),
  is_member: v.boolean(),
  next: count,
  heads_read: count,
  missing: count,
  went_back: count,
  has_to_join: v.boolean(),
  has_to_write_again: v.boolean(),
  has_to_adopt: v.boolean(),
})
/** How far this device is. */
export type DeviceStatus = v.InferOutput<typeof deviceStatus>

/** A new state of the account. */
const changed = {
  status: v.custom<EnclaveStatus>((status) => typeof status === 'object' && status !== null),
  enclave: v.string(),
}
const records = v.looseObject({ records: v.array(v.string()) })
const answers = {
  open_device: deviceStatus,
  take_records: v.looseObject({
    page: v.picklist(['goes_on', 'went_back', 'again']),
    stored: v.array(id),
    device: deviceStatus,
  }),
  write_change: records,
  write_again: records,
  records_to_send: v.looseObject({ records: v.array(v.string()), is_all: v.boolean() }),
  propose_head: records,
  adopt_head: v.looseObject({ ...changed, device: deviceStatus }),
  start_devices: v.looseObject({
    ...changed,
    device: id,
    account: id,
    root: id,
    records: v.array(v.string()),
  }),
  sign_relay_call: v.looseObject({ token: v.string() }),
  revoked_permissions: v.looseObject({
    permissions: v.array(v.looseObject({ token: v.string(), revocation: v.string() })),
  }),
  read_things: v.looseObject({
    things: v.array(
      v.looseObject({
        id: v.string(),
        is_deleted: v.boolean(),
        value: v.nullable(v.string()),
        older: v.nullable(v.string()),
      }),
    ),
    is_all: v.boolean(),
  }),
}

interface Inputs {
  readonly open_device: { readonly records: readonly string[] }
  readonly take_records: { readonly before?: string; readonly records: readonly string[] }
  readonly write_change: { readonly thing: ThingKind; readonly id: string; readonly value?: string }
  readonly write_again: Record<never, never>
  readonly records_to_send: Record<never, never>
  readonly propose_head: {
    readonly change:
      | { readonly join: Record<never, never> }
      | { readonly remove: { readonly device: string } }
    readonly proof?: UnlockProofInput
  }
  readonly adopt_head: Record<never, never>
  readonly start_devices: { readonly proof: UnlockProofInput }
  readonly sign_relay_call: { readonly call: RelayCall; readonly relay: string }
  readonly revoked_permissions: Record<never, never>
  readonly read_things: { readonly thing: ThingKind; readonly after?: string }
}
type DeviceCall = keyof typeof answers
export type DeviceAnswer<Name extends DeviceCall> = v.InferOutput<(typeof answers)[Name]>

export const FAILURE = 'Failed to keep the devices in step'

/**
 * Calls an export for devices.
 * @throws VaultError OPERATION_FAILED with the plugin's refusal in `details`, or `CallFailed`
 */
export async function callDevice<Name extends DeviceCall>(
  enclave: Enclave,
  name: Name,
  input: Inputs[Name],
): Promise<DeviceAnswer<Name>> {
  let answer: unknown
  try {
    answer = await enclave.callByName(name as AnyExport, input)
  } catch (cause) {
    throw refused('CallFailed', { failure: FAILURE }, { cause })
  }
  if (isRefusal(answer)) {
    const { error, args, ...details } = answer
    throw new VaultError('OPERATION_FAILED', error, { ...details, ...(args && { args: { ...args } }) })
  }
  const parsed = v.safeParse(answers[name], answer)
  if (parsed.success) return parsed.output as DeviceAnswer<Name>
  throw refused(
    'CallFailed',
    { failure: FAILURE },
    { details: { reason: 'The plugin is of another version.' } },
  )
}

/** Whether the enclave refused for this reason. */
export function isRefused(error: unknown, name: string): boolean {
  return error instanceof VaultError && error.details?.name === name
}
