import { type CallArguments, type EnclaveExport, isRefusal } from '@keyhole/enclave'
import { toBase64Url } from '@keyhole/vault/base64url'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { textOf } from '../engine/sandbox.ts'
import { BATCH, type Bench } from './bench.ts'
import { duration, rate } from './rate.ts'
import { nativeSigner } from './web-crypto.ts'

/** One measurement, compared with the browser's own implementation if there is one. */
export interface Measure {
  readonly id: string
  readonly name: MessageDescriptor
  /** Times per second, where more is better, or milliseconds, where less is. */
  readonly unit: 'rate' | 'ms'
  /** Prepares a measurement, and returns functions that take one sample of ours and one of the browser's. */
  readonly prepare: (bench: Bench) => Promise<{ ours: Sampler; native?: Sampler | undefined }>
}

/** Takes one sample. */
export type Sampler = (signal: AbortSignal) => Promise<number>

const MESSAGE = crypto.getRandomValues(new Uint8Array(256))

/** A call of the enclave without keys. It must succeed. */
async function ask<Name extends EnclaveExport>(
  { enclave }: Bench,
  name: Name,
  ...given: CallArguments<Name>
): Promise<void> {
  const answer = await enclave.call(name, ...given)
  if (isRefusal(answer)) throw new Error(answer.error)
}

function signing(type: 'ed25519' | 'p256', native: 'Ed25519' | 'P-256'): Pick<Measure, 'prepare'>[] {
  const data = toBase64Url(MESSAGE)
  const keyOf = async ({ vault }: Bench) => {
    if (type === 'ed25519') return vault.owner
    const key: unknown = Reflect.get(Object(await vault.ask('generate_key', { key_type: type })), 'key')
    return { keyId: textOf(key, 'key_id'), did: textOf(key, 'did') }
  }
  return [
    {
      prepare: async (bench) => {
        const own = await nativeSigner(native, MESSAGE)
        const sign = { data, key_id: (await keyOf(bench)).keyId }
        return {
          ours: (signal) => rate(() => bench.vault.ask('sign_data', sign), signal),
          native: own && ((signal) => rate(own.sign, signal)),
        }
      },
    },
    {
      prepare: async (bench) => {
        const own = await nativeSigner(native, MESSAGE)
        const { keyId, did } = await keyOf(bench)
        const signed = await bench.vault.ask('sign_data', { data, key_id: keyId })
        const verify = { data, did, signature: Reflect.get(Object(signed), 'signature') }
        const check = async () => {
          const answer = await bench.vault.ask('verify_data', verify)
          if (Reflect.get(Object(answer), 'valid') !== true) throw new Error('It does not fit.')
        }
        return {
          ours: (signal) => rate(check, signal),
          native: own && ((signal) => rate(own.verify, signal)),
        }
      },
    },
  ]
}

const [signEd, verifyEd] = signing('ed25519', 'Ed25519')
const [signP, verifyP] = signing('p256', 'P-256')
if (!signEd || !verifyEd || !signP || !verifyP) throw new Error('A scheme signs and verifies.')

/** All measurements, in order. */
export const MEASURES: readonly Measure[] = [
  { id: 'sign', name: msg`Sign 256 bytes, Ed25519`, unit: 'rate', ...signEd },
  { id: 'verify', name: msg`Check a signature, Ed25519`, unit: 'rate', ...verifyEd },
  { id: 'sign-p256', name: msg`Sign 256 bytes, P-256`, unit: 'rate', ...signP },
  { id: 'verify-p256', name: msg`Check a signature, P-256`, unit: 'rate', ...verifyP },
  {
    id: 'token',
    name: msg`Check a token`,
    unit: 'rate',
    prepare: async (bench) => ({
      ours: (signal) => rate(() => ask(bench, 'verify_token', { token: bench.token }), signal),
    }),
  },
  {
    id: 'chain',
    name: msg`Check an invocation with 5 proofs`,
    unit: 'rate',
    prepare: async (bench) => {
      const [invocation = ''] = bench.invocations
      return {
        ours: (signal) => rate(() => ask(bench, 'validate_invocation', { invocation }), signal),
      }
    },
  },
  {
    id: 'batch',
    name: msg`The same in batches, on every core`,
    unit: 'rate',
    prepare: async (bench) => ({
      ours: (signal) => {
        const once = () => bench.pool.validateBatch({ invocations: bench.invocations }, { signal })
        return rate(once, signal, { together: 1, each: BATCH, least: 300 })
      },
    }),
  },
  {
    id: 'unlock',
    name: msg`Unlock: Argon2id, 64 MiB, 3 passes`,
    unit: 'ms',
    prepare: async ({ vault }) => {
      // While unlocked the proof is checked again, which means deriving the key and opening the keys with it.
      await vault.ask('warm', {})
      return { ours: (signal) => duration(() => vault.ask('unlock_vault', { proof: vault.proof }), signal) }
    },
  },
]
