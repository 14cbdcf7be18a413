import { isRefusal } from '@keyhole/enclave'
import { toBase64Url } from '@keyhole/vault/base64url'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { BATCH, type Bench } from './bench.ts'
import { duration, rate } from './rate.ts'
import { nativeSigner } from './web-crypto.ts'

/** One thing that is measured, with the browser's own where it has one. */
export interface Measure {
  readonly id: string
  readonly name: MessageDescriptor
  /** Times a second, more being better; or milliseconds, less being better. */
  readonly unit: 'rate' | 'ms'
  /** Makes ready, and gives what takes one sample of ours and one of the browser's. */
  readonly prepare: (bench: Bench) => Promise<{ ours: Sampler; native?: Sampler | undefined }>
}

/** Takes one sample. */
export type Sampler = (signal: AbortSignal) => Promise<number>

const MESSAGE = crypto.getRandomValues(new Uint8Array(256))
/** Bytes that were drawn for this page: a private key that signs nothing but this benchmark. */
const PRIVATE = crypto.getRandomValues(new Uint8Array(32))

/** A call of the keyless enclave that must succeed. */
async function ask(
  bench: Bench,
  name: Parameters<Bench['enclave']['call']>[0],
  input: unknown,
): Promise<object> {
  const answer: unknown = await bench.enclave.call(name, input)
  if (isRefusal(answer)) throw new Error(answer.error)
  return Object(answer)
}

function signing(algorithm: 'ed25519' | 'p256', native: 'Ed25519' | 'P-256'): Pick<Measure, 'prepare'>[] {
  const message = toBase64Url(MESSAGE)
  const sign = { algorithm, private_key: toBase64Url(PRIVATE), message }
  return [
    {
      prepare: async (bench) => {
        const own = await nativeSigner(native, MESSAGE)
        return {
          ours: (signal) => rate(() => ask(bench, 'primitive', sign), signal),
          native: own && ((signal) => rate(own.sign, signal)),
        }
      },
    },
    {
      prepare: async (bench) => {
        const own = await nativeSigner(native, MESSAGE)
        const signed = await ask(bench, 'primitive', sign)
        const verify = {
          algorithm,
          public_key: Reflect.get(signed, 'public_key'),
          signature: Reflect.get(signed, 'signature'),
          message,
        }
        return {
          ours: (signal) => rate(() => ask(bench, 'primitive', verify), signal),
          native: own && ((signal) => rate(own.verify, signal)),
        }
      },
    },
  ]
}

const [signEd, verifyEd] = signing('ed25519', 'Ed25519')
const [signP, verifyP] = signing('p256', 'P-256')
if (!signEd || !verifyEd || !signP || !verifyP) throw new Error('A scheme signs and verifies.')

/** What is measured, in this order. */
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
      const [invocation] = bench.invocations
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
    prepare: async (bench) => {
      const input = {
        algorithm: 'argon2id',
        password: toBase64Url(PRIVATE),
        salt: toBase64Url(MESSAGE.slice(0, 16)),
        memory_kib: 65_536,
        passes: 3,
        lanes: 1,
        length: 32,
      }
      await ask(bench, 'warm', {})
      return { ours: (signal) => duration(() => ask(bench, 'primitive', input), signal) }
    },
  },
]
