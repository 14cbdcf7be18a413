// What is stored, as things that devices exchange, and back.
import * as v from 'valibot'
import { isShared } from '../storage/devices/device-marks.ts'
import { decodeValue, encodeValue } from '../storage/journal/journal-value.ts'
import {
  type MetadataRecord,
  metadataRecord,
  type SessionRecord,
  sessionRecord,
  type TokenRecord,
  tokenRecord,
} from '../storage/schema.ts'

/** The kinds of things that devices exchange. */
export type ThingKind =
  | 'token'
  | 'revocation'
  | 'receipt'
  | 'line'
  | 'session'
  | 'payment'
  | 'answer'
  | 'contact'
  | 'label'
  | 'setting'

/** A thing by its kind and id; the value is a text, undefined if it was deleted. */
export interface Thing {
  readonly kind: ThingKind
  readonly id: string
  readonly value?: string
}

/** A record, and the store that it belongs to. */
export type Stored =
  | { readonly store: 'tokens'; readonly record: TokenRecord }
  | { readonly store: 'sessions'; readonly record: SessionRecord }
  | { readonly store: 'metadata'; readonly record: MetadataRecord }

/** Metadata whose key is a prefix and the thing's id. */
const PREFIXES = [
  ['contact', 'contact:'],
  ['revocation', 'revocation:'],
  ['receipt', 'receipt:'],
  ['payment', 'payment:'],
] as const satisfies readonly (readonly [ThingKind, string])[]

/** The kinds that come from records. */
export const RECORD_KINDS = [
  'revocation',
  'token',
  'contact',
  'receipt',
  'payment',
  'session',
  'setting',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Settings that belong to devices, not to records. */
export const DEVICE_SETTING = 'device:'

/** A session that has ended: it can't be deleted, because two devices would bring it back to each other. */
const endedSession = v.object({ ended: v.literal(true), id: v.string() })
const ended = (id: string) => textOf({ ended: true, id })

/** A session that has ended on another device. */
export interface EndedSession {
  readonly store: 'sessions'
  readonly endedId: string
}

/** The thing that a record is. */
export function thingOf({ store, record }: Stored): Thing {
  if (store === 'tokens') return { kind: 'token', id: tokenId(record), value: textOf(record) }
  if (store === 'sessions') return { kind: 'session', id: record.id, value: textOf(record) }
  const { id: _, accountAddress: __, ...rest } = record
  return { ...metadataThing(record.key), value: textOf(rest) }
}

/** What a deleted record leaves; undefined if it can't be deleted. @param tokenThing the thing that a token was */
export function deletedThing(
  store: Stored['store'],
  id: string,
  tokenThing: (tokenId: string) => string | undefined,
): Thing | undefined {
  if (store === 'sessions') return { kind: 'session', id, value: ended(id) }
  if (store === 'metadata') {
    const thing = metadataThing(id)
    return thing.kind === 'contact' || thing.kind === 'setting' ? thing : undefined
  }
  const thing = tokenThing(id)
  return thing === undefined ? undefined : { kind: 'token', id: thing }
}

/**
 * The record that a thing is here, or the session that has ended; undefined for what this version doesn't know, which
 * stays in the devices' records.
 */
export function storedOf(thing: Thing, accountAddress: string): Stored | EndedSession | undefined {
  try {
    return read(thing, accountAddress)
  } catch {
    // Nested too deeply, for example. No version writes that.
    return undefined
  }
}

function read({ kind, id, value }: Thing, accountAddress: string): Stored | EndedSession | undefined {
  const read = value === undefined ? undefined : decodeValue(value)
  if (typeof read !== 'object' || read === null) return undefined
  if (kind === 'token') {
    const record = parsed(tokenRecord, read)
    return record && tokenId(record) === id ? checked({ store: 'tokens', record }) : undefined
  }
  if (kind === 'session') {
    if (v.is(endedSession, read)) return read.id === id ? { store: 'sessions', endedId: id } : undefined
    const record = parsed(sessionRecord, read)
    return record?.id === id
      ? checked({ store: 'sessions', record: { ...record, accountAddress } })
      : undefined
  }
  const key = keyOf(kind, id)
  const record = parsed(metadataRecord, { ...read, id: key, accountAddress })
  // Whoever wrote it, it replaces nothing that belongs to this device alone.
  const isOurs = key !== undefined && record?.key === key && isShared('metadata', key)
  return record && isOurs ? checked({ store: 'metadata', record }) : undefined
}

/** What a thing's value says, unread, and under which id it would be stored here. */
export interface Unread {
  readonly store: 'tokens' | 'metadata'
  readonly id: string
  readonly record: object
}

/**
 * What is enough to tell that a thing is stored as it is. Undefined if it has to be read to know: a session that has ended is not what is
 * stored of it.
 */
export function unreadOf({ kind, id, value }: Thing, accountAddress: string): Unread | undefined {
  if (value === undefined || kind === 'session') return undefined
  try {
    const record = decodeValue(value)
    if (typeof record !== 'object' || record === null) return undefined
    if (kind === 'token') {
      const own = 'id' in record ? record.id : undefined
      return typeof own === 'string' ? { store: 'tokens', id: own, record } : undefined
    }
    const key = keyOf(kind, id)
    return key === undefined
      ? undefined
      : { store: 'metadata', id: key, record: { ...record, id: key, accountAddress } }
  } catch {
    return undefined
  }
}

/**
 * Whether two values are the same, whatever the order of their fields: then both parse, or neither does, and `isSame` would say so too. False
 * for what JSON has no form of. It takes a fraction of the time of parsing and comparing texts.
 */
export function isAlike(one: unknown, other: unknown): boolean {
  try {
    return areAlike(one, other)
  } catch {
    // Nested too deeply.
    return false
  }
}

function areAlike(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return !isObject(one) && !isObject(other) && Object.is(one, other)
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    for (let at = 0; at < one.length; at += 1) if (!areAlike(one[at], other[at])) return false
    return true
  }
  if (!isPlain(one) || !isPlain(other)) return false
  const fields = Object.keys(one)
  if (fields.length !== Object.keys(other).length) return false
  for (const field of fields)
    if (!Object.hasOwn(other, field) || !areAlike(one[field], other[field])) return false
  return true
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype
}

/** What can be compared. */
function checked(stored: Stored): Stored {
  textOf(stored.record)
  return stored
}

/** Whether two records are the same, whatever the order of their fields. */
export function isSame(one: Stored, other: Stored): boolean {
  return one.store === other.store && textOf(one.record) === textOf(other.record)
}

/** A stored record that parses. */
export function readable(store: Stored['store'], record: unknown): Stored | undefined {
  if (store === 'tokens') return as(store, parsed(tokenRecord, record))
  if (store === 'sessions') return as(store, parsed(sessionRecord, record))
  return as(store, parsed(metadataRecord, record))
}

function as<S extends Stored['store'], R>(store: S, record: R | undefined) {
  return record === undefined ? undefined : ({ store, record } as { store: S; record: R } & Stored)
}

/** A token's CID. One that an older version stored without it has the id of its record. */
function tokenId({ cid, id }: TokenRecord): string {
  return cid ?? `record:${id}`
}

/** The thing that a record of metadata is, by its key. */
export function metadataThing(key: string): Thing {
  for (const [kind, prefix] of PREFIXES)
    if (key.startsWith(prefix)) return { kind, id: key.slice(prefix.length) }
  return { kind: 'setting', id: key }
}

function keyOf(kind: ThingKind, id: string): string | undefined {
  if (kind === 'setting') return id.startsWith(DEVICE_SETTING) ? undefined : id
  const prefix = PREFIXES.find(([each]) => each === kind)?.[1]
  return prefix === undefined ? undefined : prefix + id
}

/** The same text for the same value, whatever the order of its fields. */
function textOf(value: object): string {
  return encodeValue(inOrder(value)) ?? ''
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  if (Object.prototype.toString.call(value) !== '[object Object]' || value instanceof Uint8Array) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]))
}

function parsed<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value)
  return result.success ? result.output : undefined
}
