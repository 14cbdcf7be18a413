import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { type PaymentRecord, paymentRecord } from '../enclave/payment.ts'
import { metadataContext, openTexts } from '../enclave/sealed-text.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { sealMetadata } from '../storage/sealed-metadata.ts'

/** Payments are metadata with this prefix and the CID of the authorisation. */
export const PAYMENT_PREFIX = 'payment:'

/**
 * The metadata of a payment. Only removing the account deletes it.
 * @param updatedAt milliseconds since 1970
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function sealPayment(
  enclave: Enclave,
  accountAddress: string,
  record: PaymentRecord,
  updatedAt: number,
): Promise<MetadataRecord> {
  const key = `${PAYMENT_PREFIX}${record.id}`
  return await sealMetadata(enclave, accountAddress, key, JSON.stringify(record), updatedAt)
}

/** A stored payment, and when it was last written. */
export interface StoredPayment {
  readonly payment: PaymentRecord
  readonly updatedAt: number
}

const paymentText = v.pipe(v.string(), v.parseJson(), paymentRecord)

/**
 * The payments in the metadata, newest first, and the ids of records that don't open or parse.
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function openPayments(
  enclave: Enclave,
  records: readonly MetadataRecord[],
): Promise<{ stored: StoredPayment[]; unreadable: string[] }> {
  const stored: StoredPayment[] = []
  const unreadable: string[] = []
  const texts = await openTexts(
    enclave,
    records.map(({ key, sealed }) => ({ context: metadataContext(key), text: sealed })),
  )
  records.forEach(({ id, key, updatedAt }, index) => {
    const parsed = v.safeParse(paymentText, texts[index])
    if (parsed.success && key === `${PAYMENT_PREFIX}${parsed.output.id}`) {
      stored.push({ payment: parsed.output, updatedAt })
    } else unreadable.push(id)
  })
  return { stored: stored.sort((one, other) => other.payment.at - one.payment.at), unreadable }
}
