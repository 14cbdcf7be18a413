// Mandates of an account on several devices: which device counts each, and what it has told of the count.
import type { Enclave, EnclaveMandate } from '@keyhole/enclave'
import * as v from 'valibot'
import { metadataContext, openTexts, sealTexts } from '../../enclave/sealed-text.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { DEVICE_PREFIX } from '../../storage/devices/device-marks.ts'
import { type MetadataRecord, metadataRecord } from '../../storage/schema.ts'
import { periodEnd, periodStart } from './periods.ts'

/** Who counts a mandate, and its terms: sealed metadata with this prefix and its CID. All devices have it. */
const KEPT_PREFIX = 'mandate:'
/** What its keeper has counted, for the others to see. */
const USE_PREFIX = 'mandate-use:'

/** Which of the account's devices this one is. */
const SELF = `${DEVICE_PREFIX}self`
/** A mandate that was made here, or before the account had devices: no other device counts it. */
const MADE_PREFIX = `${DEVICE_PREFIX}made:`

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const short = v.pipe(v.string(), v.maxLength(4_096))
const time = v.pipe(v.number(), v.safeInteger())
const budget = v.object({
  period: v.picklist(['day', 'week', 'month']),
  amount: v.exactOptional(count),
  payments: v.exactOptional(count),
})
const terms = v.object({
  cid: short,
  issuer: short,
  audience: short,
  payees: v.pipe(v.array(short), v.maxLength(64)),
  min: v.exactOptional(count),
  max: count,
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  not_before: v.exactOptional(time),
  expires_at: v.exactOptional(time),
  budget,
  created_at: count,
})
const kept = v.object({
  /** The device that counts it. */
  keeper: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  digits: v.pipe(count, v.maxValue(8)),
  terms,
})
const used = v.object({ since: count, amount: count, payments: count })
const use = v.object({
  used,
  total: used,
  /** Other copies of the account may have counted too, before it had devices. */
  remaining: v.object({
    amount: v.exactOptional(count),
    payments: v.exactOptional(count),
    until: count,
  }),
  suspended: v.boolean(),
  ended: v.boolean(),
})
const asText = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema)

export type MandateKeeping = v.InferOutput<typeof kept>
export type KeptUse = v.InferOutput<typeof use>
export type KeptTerms = v.InferOutput<typeof terms>

/** What is known of a mandate's keeper. */
export interface KeptMandate extends MandateKeeping {
  readonly use?: KeptUse
}

interface Parts {
  readonly enclave: Enclave
  readonly storage: OpenStorage
}

/** Every mandate whose keeper is known, by CID. What another device wrote and can't be one is left out. @throws VaultError */
export async function readKept({ enclave, storage }: Parts): Promise<ReadonlyMap<string, KeptMandate>> {
  const records = [
    ...(await storage.readMetadataUnder(KEPT_PREFIX)),
    ...(await storage.readMetadataUnder(USE_PREFIX)),
  ]
  const texts = await openTexts(
    enclave,
    records.map(({ key, sealed }) => ({ context: metadataContext(key), text: sealed })),
  )
  const all = new Map<string, KeptMandate>()
  for (const [index, { key }] of records.entries()) {
    if (key.startsWith(KEPT_PREFIX)) {
      const cid = key.slice(KEPT_PREFIX.length)
      const parsed = v.safeParse(asText(kept), texts[index])
      if (parsed.success && parsed.output.terms.cid === cid) all.set(cid, parsed.output)
      continue
    }
    const cid = key.slice(USE_PREFIX.length)
    const known = all.get(cid)
    const parsed = v.safeParse(asText(use), texts[index])
    if (known && parsed.success) all.set(cid, { ...known, use: parsed.output })
  }
  return all
}

/** The record that says who counts a mandate. */
export async function keptRecord(
  parts: Parts,
  keeping: MandateKeeping,
  now: number,
): Promise<MetadataRecord> {
  return await sealed(parts, KEPT_PREFIX + keeping.terms.cid, keeping, now)
}

/** The record of what its keeper has counted. */
export async function useRecord(
  parts: Parts,
  cid: string,
  counted: KeptUse,
  now: number,
): Promise<MetadataRecord> {
  return await sealed(parts, USE_PREFIX + cid, counted, now)
}

async function sealed(
  { enclave, storage }: Parts,
  key: string,
  value: object,
  now: number,
): Promise<MetadataRecord> {
  const text = JSON.stringify(value)
  const [sealed = ''] = await sealTexts(enclave, [{ context: metadataContext(key), text }])
  return { id: key, accountAddress: storage.address, key, updatedAt: now, sealed }
}

/** A mandate's terms, as devices tell each other. */
export function termsOf(mandate: EnclaveMandate): KeptTerms {
  const { cid, issuer, audience, payees = [], min, max, currency, not_before, expires_at } = mandate
  const { period, amount, payments } = mandate.budget
  return {
    ...{ cid, issuer, audience, payees: [...payees], max, currency, created_at: mandate.created_at },
    budget: { period, ...(amount !== undefined && { amount }), ...(payments !== undefined && { payments }) },
    ...(min !== undefined && { min }),
    ...(not_before !== undefined && { not_before }),
    ...(expires_at !== undefined && { expires_at }),
  }
}

/** What its keeper tells of a mandate's count. */
export function useOf({ used, total, remaining, suspended, ended }: EnclaveMandate): KeptUse {
  const plain = ({ since, amount, payments }: KeptUse['used']) => ({ since, amount, payments })
  const { amount, payments, until } = remaining
  const left = {
    ...(amount !== undefined && { amount }),
    ...(payments !== undefined && { payments }),
    until,
  }
  return { used: plain(used), total: plain(total), remaining: left, suspended, ended }
}

/** Whether the others know that much. That a period is over they see for themselves. */
export function isTold(before: KeptUse | undefined, now: KeptUse): boolean {
  if (before === undefined) return false
  const isSamePeriod = before.remaining.until === now.remaining.until
  const { remaining } = isSamePeriod ? now : before
  return JSON.stringify(before) === JSON.stringify({ ...now, remaining })
}

/** A mandate that another device counts, as far as that one has told. @param now in seconds since 1970 */
export function asTold({ digits, terms, use: told }: KeptMandate, now: number): EnclaveMandate {
  const { budget } = terms
  const none = { since: periodStart(budget.period, now), amount: 0, payments: 0 }
  const { used = none, total = none, suspended = false, ended = false, remaining } = told ?? {}
  const whole = { ...amounts(budget), until: periodEnd(budget.period, now) }
  return {
    ...terms,
    ...{ used, total, suspended, ended, digits, own: terms.audience === terms.issuer },
    remaining: remaining && now < remaining.until ? remaining : whole,
  }
}

function amounts({ amount, payments }: KeptTerms['budget']) {
  return { ...(amount !== undefined && { amount }), ...(payments !== undefined && { payments }) }
}

const self = v.looseObject({
  ...metadataRecord.entries,
  device: v.string(),
  /** Another device has removed it. */
  isRemoved: v.boolean(),
})

/** Which of the account's devices a device is. */
export interface Self {
  readonly device: string
  readonly isRemoved: boolean
}

/** Which of the account's devices this one is; undefined if it isn't known yet. */
export async function readSelf(storage: Pick<OpenStorage, 'readMetadataOf'>): Promise<Self | undefined> {
  const parsed = v.safeParse(self, await storage.readMetadataOf(SELF))
  return parsed.success ? parsed.output : undefined
}

/** Says which device this one is. */
export function selfRecord(address: string, { device, isRemoved }: Self, now: number): MetadataRecord {
  return { ...ownRecord(address, SELF, now), device, isRemoved }
}

/** Says that a mandate was made here. */
export function madeRecord(address: string, cid: string, now: number): MetadataRecord {
  return ownRecord(address, MADE_PREFIX + cid, now)
}

/** The mandates that were made here, by CID. */
export async function readMade(
  storage: Pick<OpenStorage, 'readMetadataUnder'>,
): Promise<ReadonlySet<string>> {
  const made = await storage.readMetadataUnder(MADE_PREFIX)
  return new Set(made.map(({ key }) => key.slice(MADE_PREFIX.length)))
}

function ownRecord(accountAddress: string, key: string, updatedAt: number): MetadataRecord {
  return { id: key, accountAddress, key, updatedAt: Math.floor(updatedAt), sealed: '-' }
}
