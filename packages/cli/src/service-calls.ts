// Signed calls of an HTTP API behind a gate, for `keyhole fetch` and `keyhole run`.
import { createHash } from 'node:crypto'
import { stringifyJson } from '@keyhole/enclave'
import type { OpenRequests, RemoteGate } from '@keyhole/gate'
import { type Holder, HolderError } from '@keyhole/holder'
import { CommandError, FAILED } from './errors.ts'

/** Methods that a call can have. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** An invocation is used at once, in seconds. */
const LIFETIME = 60
/** One with bytes beside it has to hold until they have arrived, in seconds. A gate takes no longer one. */
const LIFETIME_OF_UPLOADS = 300

/** A request, as it is signed (docs/commands.md). */
export interface ServiceCall {
  readonly service: string
  readonly method: string
  /** Decoded, from its first slash on. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** JSON that is signed; undefined for none. */
  readonly body?: unknown
  /** A body that is sent beside the call, if there is no `body` or it is too long. */
  readonly upload?: { readonly bytes: Buffer; readonly type: string }
}

/** Longest invocation that a gate takes, in characters. */
const LONGEST_TOKEN = 49_152

/** What the service answered. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer>
}

/** What a person has to grant first. */
export interface Needed {
  /** Why there was no call: a holder's or a gate's code. */
  readonly code: string
  readonly message: string
  /** Opens the request in the owner's vault, which shows the short code too. */
  readonly link: string
  readonly shortCode: string
}

/** The gate's refusal of a call. */
export interface Refused {
  readonly code: string
  readonly message: string
  readonly status: number
}

export type Outcome =
  | { readonly answered: Answered }
  | { readonly needed: Needed }
  | { readonly refused: Refused }

export interface ServiceCallerOptions {
  readonly gate: RemoteGate
  /** Where the gate is. */
  readonly url: string
  readonly holder: Holder
  /** Asks for what is missing. */
  readonly requests: OpenRequests
}

/** Makes signed calls: each with the narrowest grant that covers it, and never twice. */
export interface ServiceCaller {
  /** @throws CommandError GATE if there is no answer: the call may have been carried out @throws HolderError */
  call(call: ServiceCall, signal?: AbortSignal): Promise<Outcome>
}

/** A caller of the services behind a gate elsewhere. */
export function serviceCaller({ gate, url, holder, requests }: ServiceCallerOptions): ServiceCaller {
  async function make(
    { service, method, path, query }: ServiceCall,
    body: unknown,
    bytes: Buffer | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const command = `/http/${method.toLowerCase()}`
    const args = { service, path, ...(query && { query }), ...(body !== undefined && { body }) }

    const { approvalsIn, signForAnyOwner } = await import('@keyhole/gate')

    /** @param approval of a call that the owner allows one by one */
    async function attempt(approval?: { readonly once: string; readonly grant: string }): Promise<Sent> {
      const owners = gate.owners.length > 0 ? gate.owners : ['']
      const said = approval ? { ...args, once: approval.once } : args
      const token = await signForAnyOwner(holder, owners, command, said, {
        audience: gate.did,
        expiresIn: bytes ? LIFETIME_OF_UPLOADS : LIFETIME,
        ...(approval && { grant: approval.grant }),
      })
      if (token.length > LONGEST_TOKEN) return TOO_LONG
      return await post(url, service, token, bytes, signal)
    }

    async function ask(code: string, why: string, policy: readonly unknown[]): Promise<Outcome> {
      const reason = `${method} ${path}`.slice(0, 100)
      const wanted = { vault: gate.vault, command, policy, reason }
      const {
        link,
        code: shortCode,
        comesBack,
      } = await requests.ask(stringifyJson([command, policy]), wanted)
      const then = comesBack ? ' The grant then comes here: make the call again.' : ''
      const message = `${why} ${link}\nThe vault should show the code ${shortCode}.${then}`
      return { needed: { code, message, link, shortCode } }
    }

    async function outcomeOf({ request, ...sent }: Sent): Promise<Outcome> {
      if ('answered' in sent) return sent
      if (!request) return sent
      const { code, message } = sent.refused
      const why =
        code === 'AskFirst'
          ? 'The owner allows such calls one by one. Ask for this one:'
          : `${message} Ask for a grant:`
      // What is too long to be asked for is refused as it is.
      return await ask(code, why, request).catch(() => sent)
    }

    for (const approval of await approvalsIn(holder, command)) {
      const sent = await attempt(approval).catch((error) => {
        if (error instanceof HolderError) return undefined
        throw error
      })
      if (sent && !('refused' in sent && sent.refused.code === 'AskFirst')) return await outcomeOf(sent)
    }
    try {
      return await outcomeOf(await attempt())
    } catch (error) {
      if (!(error instanceof HolderError) || error.code === 'InvalidInput') throw error
      // Exactly this call, and nothing beside it. The owner can allow more.
      return await ask(error.code, 'No grant covers this. Ask for one:', [['==', '.', args]])
    }
  }

  return {
    async call(call, signal) {
      const { body, upload } = call
      if (upload && body === undefined) return await make(call, signedUpload(upload), upload.bytes, signal)
      const outcome = await make(call, body, undefined, signal)
      // Nothing was carried out, and the invocation was not used.
      const isTooLong = 'refused' in outcome && outcome.refused.code === 'TooLarge'
      return upload && isTooLong ? await make(call, signedUpload(upload), upload.bytes, signal) : outcome
    },
  }
}

/** A body as it is signed (docs/commands.md). */
function signedUpload({ bytes, type }: NonNullable<ServiceCall['upload']>) {
  return { sha256: createHash('sha256').update(bytes).digest('base64url'), length: bytes.length, type }
}

/** What came back, and the policy to ask the owner for. */
type Sent = ({ readonly answered: Answered } | { readonly refused: Refused }) & {
  readonly request?: readonly unknown[] | undefined
}

const TOO_LONG: Sent = {
  refused: { code: 'TooLarge', message: 'The call is too long to be signed.', status: 413 },
}

async function post(
  url: string,
  service: string,
  token: string,
  bytes: Buffer | undefined,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const noAnswer = () => {
    throw new CommandError(
      FAILED,
      'GATE',
      `The gate at ${url} gave no answer, and may have carried out the call.`,
    )
  }
  const response = await fetch(`${url.replace(/\/$/, '')}/http/${service}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${token}`,
      ...(bytes && { 'content-type': 'application/octet-stream' }),
    },
    ...(bytes && { body: new Uint8Array(bytes) }),
    ...(signal && { signal }),
  }).catch(noAnswer)
  const { status, headers } = response
  const body = new Uint8Array(await response.arrayBuffer().catch(noAnswer))
  const by = headers.get('x-keyhole-answered-by')
  if (by === 'service') return { answered: { status, headers, body } }
  // Anything else that answers here is no gate.
  if (by !== 'gate') return noAnswer()
  const { error, request } = readRefusal(body)
  return {
    refused: { code: String(error.name), message: String(error.message), status },
    request: Array.isArray(request?.policy) ? request.policy : undefined,
  }
}

function readRefusal(body: Uint8Array) {
  try {
    const said = Object(JSON.parse(new TextDecoder().decode(body)))
    return { error: Object(said.error), request: Object(said.request) }
  } catch {
    return {
      error: { name: 'Unavailable', message: "The gate's answer isn't JSON." },
      request: {},
    }
  }
}

/** The service that is named, or the gate's only one; undefined if there is none, or several. */
export function onlyOf(names: readonly string[], name: string | undefined): string | undefined {
  const wanted = name ?? (names.length === 1 ? names[0] : undefined)
  return wanted !== undefined && names.includes(wanted) ? wanted : undefined
}
