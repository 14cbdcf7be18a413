import type { Enclave } from '@keyhole/enclave'
import { refused } from '../base/errors.ts'
import { callPlugin } from './plugin.ts'

/** Most texts sealed or opened in one plugin call. */
const BATCH = 500

/** Most letters in one call: the plugin accepts 16 MiB, but a lock has to wait for it. */
const BATCH_LENGTH = 1024 * 1024

/** A text and its context. It only opens under the same context. */
export interface ContextText {
  readonly context: string
  readonly text: string
}

export const tokenLabelContext = (tokenId: string) => `token-label:${tokenId}`
export const metadataContext = (key: string) => `metadata:${key}`

/**
 * Seals personal texts under the account's key, in order. @throws VaultError OPERATION_FAILED, the plugin's code in
 * `details`
 */
export async function sealTexts(enclave: Enclave, texts: readonly ContextText[]): Promise<string[]> {
  const sealed: string[] = []
  for (const batch of batchesOf(texts)) {
    const records = batch.map(({ context, text }) => ({ context, plaintext: text }))
    const result = await callPlugin(enclave, 'seal_records', { records }, 'Failed to seal a label')
    if (result.records.length !== batch.length)
      throw refused('CallFailed', { failure: 'Failed to seal a label' })
    for (const record of result.records) sealed.push(record.sealed)
  }
  return sealed
}

/**
 * Opens texts from `sealTexts`, in order; undefined for one that doesn't open because it's damaged or from another
 * account.
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function openTexts(
  enclave: Enclave,
  texts: readonly ContextText[],
): Promise<(string | undefined)[]> {
  const opened: (string | undefined)[] = []
  for (const batch of batchesOf(texts)) {
    const records = batch.map(({ context, text }) => ({ context, sealed: text }))
    const result = await callPlugin(enclave, 'open_records', { records }, 'Failed to open a label')
    if (result.records.length !== batch.length)
      throw refused('CallFailed', { failure: 'Failed to open a label' })
    for (const record of result.records) {
      opened.push('plaintext' in record ? record.plaintext : undefined)
    }
  }
  return opened
}

/** As many at a time as fit, in order. One that is too long for a batch goes alone. */
function* batchesOf(texts: readonly ContextText[]): Generator<ContextText[]> {
  let batch: ContextText[] = []
  let length = 0
  for (const each of texts) {
    if (batch.length === BATCH || (batch.length > 0 && length + each.text.length > BATCH_LENGTH)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(each)
    length += each.text.length
  }
  if (batch.length > 0) yield batch
}
