// The key that reports are sealed to: one for each of the account's keys, so that it connects none of them.
import type { Enclave } from '@keyhole/enclave'
import type { SealKey } from '@keyhole/holder/seal'
import * as v from 'valibot'
import { fromBase64Url, toBase64Url } from '../base/base64url.ts'
import { openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'
import type { Rows } from './rows.ts'

const storedKey = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ publicKey: v.string(), privateKey: v.string() }),
)

const rowOf = (owner: string) => `report-key:${owner}`

/** The key of an owner, which is made on first use. The caller holds the write lock. */
export async function reportKey(
  rows: Rows,
  enclave: Enclave,
  address: string,
  owner: string,
  now: number,
): Promise<SealKey> {
  const row = rowOf(owner)
  const stored = v.safeParse(storedKey, await openMetadata(enclave, await rows.read(row)))
  if (stored.success) return await imported(stored.output)
  const pair = await crypto.subtle.generateKey('X25519', true, ['deriveBits'])
  if (!('privateKey' in pair)) throw new TypeError('This is not a pair of keys.')
  const [raw, pkcs8] = await Promise.all([
    crypto.subtle.exportKey('raw', pair.publicKey),
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
  ])
  const made = {
    publicKey: toBase64Url(new Uint8Array(raw)),
    privateKey: toBase64Url(new Uint8Array(pkcs8)),
  }
  await rows.write([await sealMetadata(enclave, address, row, JSON.stringify(made), now)])
  return await imported(made)
}

async function imported({ publicKey, privateKey }: v.InferOutput<typeof storedKey>): Promise<SealKey> {
  const bytes = (text: string) => fromBase64Url(text) ?? new Uint8Array()
  return {
    publicKey: bytes(publicKey),
    privateKey: await crypto.subtle.importKey('pkcs8', bytes(privateKey), 'X25519', false, ['deriveBits']),
  }
}
