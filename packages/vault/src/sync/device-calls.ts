import type { AnyExport, Enclave, UnlockProofInput } from '@keyhole/enclave'
import { isRefusal } from '@keyhole/enclave'
import * as v from 'valibot'
import { refused, VaultError } from '../base/errors.ts'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import type { RelayCall } from './relay.ts'
import type { Thing, ThingKind } from './things.ts'

const id = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const deviceStatus = v.looseObject({
  device: id,
  members: v.array(id),
  limited: v.array(id),
  is_member: v.boolean(),
  next: count,
  heads_read: count,
  unsent: count,
  missing: count,
  went_back: count,
  has_to_join: v.boolean(),
  unread: count,
  has_to_write_again: v.boolean(),
  has_to_adopt: v.boolean(),
  state_was_shown: v.boolean(),
})
/** How far this device is. */
export type DeviceStatus = v.InferOutput<typeof deviceStatus>

/** A new state of the account. */
const changed = {
  status: v.custom<EnclaveStatus>((status) => typeof status === 'object' && status !== null),
  enclave: v.string(),
}
const records = v.looseObject({ records: v.array(v.string()) })
const message = v.looseObject({ message: v.string() })
const answers = {
  open_device: v.looseObject({
    ...deviceStatus.entries,
    fits: v.boolean(),
    marks: v.array(v.looseObject({ id, mark: v.string() })),
  }),
  take_records: v.looseObject({
    page: v.picklist(['goes_on', 'went_back', 'again']),
    stored: v.array(id),
    changed: v.optional(v.array(v.looseObject({ thing: v.string(), id }))),
    device: deviceStatus,
  }),
  write_changes: v.looseObject({
    records: v.array(v.string()),
    refused: v.array(v.looseObject({ at: count, why: v.string() })),
    device: deviceStatus,
  }),
  write_again: records,
  records_to_send: v.looseObject({ records: v.array(v.string()), is_all: v.boolean() }),
  propose_head: v.looseObject({
    records: v.array(v.string()),
    key_id: v.optional(v.string()),
    method_id: v.optional(v.string()),
    recovery_code: v.optional(v.string()),
  }),
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
  make_device: v.looseObject({ device: id }),
  join_devices: v.looseObject({ ...changed, device: deviceStatus }),
  join_as_limited: v.looseObject({ ...changed, device: deviceStatus }),
  begin_pairing: v.looseObject({ pairing_code: v.string(), message: v.string() }),
  answer_pairing: message,
  reveal_pairing: v.looseObject({ message: v.string(), digits: v.string(), account: id, root: id }),
  check_pairing: v.looseObject({ digits: v.string(), device: id, sealing: id }),
  finish_pairing: message,
  open_pairing: v.looseObject({ permission: v.string() }),
  sign_mailbox_call: v.looseObject({ token: v.string(), mailbox: v.string() }),
  begin_recovery: v.looseObject({ token: v.string() }),
  open_recovery: v.looseObject({ account: id, root: id }),
  recover_account: records,
  recovery_records: v.looseObject({
    codes: v.array(v.looseObject({ device: id, record: v.string(), token: v.string() })),
  }),
  read_things: v.looseObject({
    things: v.array(
      v.looseObject({
        id: v.string(),
        is_deleted: v.boolean(),
        value: v.nullable(v.string()),
        /** The device that wrote it, or deleted it. */
        author: id,
        older: v.nullable(v.string()),
        older_author: v.optional(id),
      }),
    ),
    is_all: v.boolean(),
  }),
}

/** A change of what all devices share. The plugin checks the fields of changes of keys and unlock methods. */
export type HeadChange =
  | { readonly join: Record<never, never> }
  | { readonly add: { readonly device: string; readonly sealing: string; readonly role?: 'limited' } }
  | { readonly remove: { readonly device: string } }
  | { readonly [group: string]: { readonly [name: string]: Readonly<Record<string, unknown>> } }

interface Inputs {
  readonly open_device: {
    /** Those whose place in the relay's list isn't known. */
    readonly records: readonly string[]
    /** The relay's list, as it was read. */
    readonly pages?: readonly { readonly before: string; readonly records: readonly string[] }[]
    /** Of records whose signature was checked before. */
    readonly marks?: readonly string[]
    readonly goes_on?: boolean
  }
  readonly take_records: { readonly before?: string; readonly records: readonly string[] }
  readonly write_changes: {
    readonly changes: readonly { readonly thing: ThingKind; readonly id: string; readonly value?: string }[]
  }
  readonly write_again: Record<never, never>
  readonly records_to_send: Record<never, never>
  readonly propose_head: {
    readonly change: HeadChange
    readonly proof?: UnlockProofInput
    /** The DID of the account's relay, from where a new recovery code opens the account. */
    readonly relay?: string
    /** Whether all devices read heads whose state is sealed. */
    readonly may_seal?: boolean
  }
  readonly adopt_head: Record<never, never>
  readonly start_devices: { readonly proof: UnlockProofInput }
  readonly sign_relay_call: {
    readonly call: RelayCall
    readonly relay: string
    readonly permission?: string
  }
  readonly revoked_permissions: Record<never, never>
  readonly make_device: Record<never, never>
  readonly join_devices: {
    readonly account: string
    readonly root: string
    readonly records: readonly string[]
  }
  readonly join_as_limited: {
    readonly account: string
    readonly root: string
    readonly records: readonly string[]
    readonly permission: string
  }
  readonly begin_pairing: Record<never, never>
  readonly answer_pairing: { readonly code: string; readonly message: string }
  readonly reveal_pairing: { readonly message: string }
  readonly check_pairing: { readonly message: string }
  readonly finish_pairing: Record<never, never>
  readonly open_pairing: { readonly message: string }
  readonly sign_mailbox_call: {
    /** Which message's mailbox, from 1 to 4. */
    readonly message: number
    readonly call: { readonly open: Record<never, never> } | { readonly read: { readonly wait?: number } }
    readonly relay: string
    /** The code, while the enclave doesn't have it. */
    readonly code?: string
  }
  readonly begin_recovery: { readonly code: string; readonly relay: string }
  readonly open_recovery: { readonly records: readonly string[] }
  readonly recover_account: { readonly records: readonly string[] }
  readonly recovery_records: Record<never, never>
  readonly read_things: {
    readonly thing: ThingKind
    readonly after?: string
    readonly ids?: readonly string[]
  }
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

/**
 * Writes things as operations of this device, many in one record.
 * @returns the records, which are to be stored; the places of things that can't be written; how far the device is
 * @throws VaultError, also if some have been written: then the device has to be opened again
 */
export async function writeThings(
  enclave: Enclave,
  things: readonly Thing[],
): Promise<DeviceAnswer<'write_changes'>> {
  const changes = things.map(({ kind, id, value }) => ({
    thing: kind,
    id,
    ...(value !== undefined && { value }),
  }))
  return await callDevice(enclave, 'write_changes', { changes })
}

/** A thing, as devices have written it. */
export type ReadThing = DeviceAnswer<'read_things'>['things'][number]

/**
 * Reads all things of a kind, page by page, in the order of their ids.
 * @param after reads only those with a later id
 * @throws VaultError
 */
export async function* readThings(
  enclave: Enclave,
  thing: ThingKind,
  after?: string,
): AsyncGenerator<readonly ReadThing[]> {
  let last = after
  for (;;) {
    const input = { thing, ...(last !== undefined && { after: last }) }
    const { things, is_all: isAll } = await callDevice(enclave, 'read_things', input)
    yield things
    last = things.at(-1)?.id
    if (isAll || last === undefined) return
  }
}

/** Whether the enclave refused for this reason. */
export function isRefused(error: unknown, name: string): boolean {
  return error instanceof VaultError && error.details?.name === name
}
