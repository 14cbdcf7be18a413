import type { CallContext } from '@extism/extism'
import { reasonOf } from '../errors.ts'

/** Maximum size of an HTTP response, in bytes: a DID document is a few kilobytes. */
const MAX_RESPONSE = 256 * 1024

/** How long a response may take, in milliseconds. */
const PATIENCE = 10_000

/**
 * `keyhole_fetch(url)`: lets the plugin request a URL over HTTPS from hosts on a list. It returns `+` and the
 * response's bytes, `-` and the reason for a failure, or `!` and the reason why no request was made: a refusal is a
 * value.
 * With an empty list no request is ever made, and the function is synchronous. As soon as one host function is
 * asynchronous, Extism makes every call of a plugin suspendable, which is slower.
 */
export function bridgeTo(allowedHosts: readonly string[]): (context: CallContext, url: bigint) => unknown {
  if (allowedHosts.length === 0) return closed
  const hosts = new Set(allowedHosts.map((host) => host.toLowerCase()))
  return async (context, address) => {
    const url = context.read(address)?.text() ?? ''
    try {
      return answer(context, '+', await fetchDocument(url, hosts))
    } catch (error) {
      return answer(context, error instanceof NotAsked ? '!' : '-', encoder.encode(reasonOf(error)))
    }
  }
}

const encoder = new TextEncoder()

function closed(context: CallContext): bigint {
  const reason =
    'this enclave asks no one: list the host in allowedHosts, where the platform lets a plugin wait'
  return answer(context, '!', encoder.encode(reason))
}

/** A host that may not be asked. */
class NotAsked extends Error {}

function answer(context: CallContext, sign: '+' | '-' | '!', bytes: Uint8Array): bigint {
  const all = new Uint8Array(bytes.length + 1)
  all.set(encoder.encode(sign))
  all.set(bytes, 1)
  return context.store(all)
}

async function fetchDocument(address: string, hosts: ReadonlySet<string>): Promise<Uint8Array> {
  const url = new URL(address)
  if (url.protocol !== 'https:' || !hosts.has(url.hostname)) {
    throw new NotAsked(`${url.hostname} is not among the hosts that this enclave may ask`)
  }
  const response = await request(url)
  if (!response.ok) throw new Error(`${url.hostname} answered with status ${response.status}`)
  return readUpTo(response, url.hostname)
}

async function request(url: URL): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { accept: 'application/did+json, application/json' },
      // A redirect could lead to a host that isn't allowed.
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(PATIENCE),
    })
  } catch (error) {
    throw new Error(`${url.hostname} could not be reached: ${reasonOf(error)}`)
  }
}

async function readUpTo(response: Response, host: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of streamOf(response)) {
    length += chunk.length
    if (length > MAX_RESPONSE) throw new Error(`${host} answered with more than ${MAX_RESPONSE} bytes`)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

async function* streamOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
