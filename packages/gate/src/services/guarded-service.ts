import { createGuard, type GuardParts } from '../calls/guard.ts'
import type { ServiceConfig } from '../config/config.ts'
import { refuseCall } from '../errors.ts'
import { cleanAnswer, type ServiceAnswer } from './answer.ts'
import { NoAnswer } from './connection.ts'
import { checkNoMethodIn } from './method-override.ts'
import { requestOf, type ServiceRequest } from './request.ts'
import { type RawAnswer, send } from './service-client.ts'
import { checkUpload, readUpload, skipBody, type Upload } from './upload.ts'

export interface GuardedServiceOptions extends GuardParts {
  readonly name: string
  readonly config: ServiceConfig
  /** The credential. */
  readonly secret: string | undefined
}

/** An HTTP API behind this gate. */
export interface GuardedService {
  readonly name: string
  /** Its methods. */
  readonly methods: readonly string[]
  /** Paths that it suggests for limits. */
  readonly paths: readonly string[]
  /** How long a body beside a call may take to arrive, in seconds; 0 if it takes none. */
  readonly patience: number
  /**
   * Carries out a signed call, once.
   *
   * @param token an invocation with its proofs
   * @param body what was sent beside it. It is read only if the call is allowed, and then all of it before the call is carried out
   * @param address IP address of the caller, so that one network can't keep others waiting
   * @throws CallRefused
   */
  call(
    token: string,
    signal?: AbortSignal,
    body?: ReadableStream<Uint8Array> | null,
    address?: string,
  ): Promise<ServiceAnswer>
}

/** The longest bodies that are held at a time. */
const MOST_BODIES = 4

/** Puts the gate before an HTTP API. */
export function guardService(options: GuardedServiceOptions): GuardedService {
  const { name, config, secret, redactor } = options
  const base = new URL(config.url)
  const guard = createGuard({ ...options, concurrency: config.concurrency })
  /** Bytes of bodies beside calls that are running. */
  let held = 0

  async function sendOnce(request: ServiceRequest, signal: AbortSignal | undefined): Promise<RawAnswer> {
    try {
      return await send(config, secret, request, signal)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      const code = error.isTooLong ? 'AnswerTooLong' : 'ServerFailed'
      return refuseCall(code, `${name} gave no answer, and may have carried out the call. ${error.message}`)
    }
  }

  async function receive(
    request: ServiceRequest,
    upload: Upload,
    body: ReadableStream<Uint8Array> | null | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ServiceRequest> {
    const bytes = await readUpload(upload, body, endOf(signal))
    await checkNoMethodIn(bytes, upload.type)
    return { ...request, body: bytes }
  }

  /** Waits for a body that the call doesn't name. */
  async function passOver(
    request: ServiceRequest,
    body: ReadableStream<Uint8Array>,
    signal: AbortSignal | undefined,
  ): Promise<ServiceRequest> {
    await skipBody(body, endOf(signal))
    return request
  }

  /** When a body has to be there, or the caller is gone. */
  function endOf(signal: AbortSignal | undefined): AbortSignal {
    const late = AbortSignal.timeout(config.timeout * 1_000)
    return signal ? AbortSignal.any([signal, late]) : late
  }

  return {
    name,
    methods: config.methods,
    paths: config.suggest,
    patience: config.uploads > 0 ? config.timeout : 0,
    async call(token, signal, body, address) {
      let own = 0
      try {
        return await guard.run(
          token,
          {
            request({ command, args, chain }) {
              const request = requestOf(name, config, command, args)
              const { upload } = request
              if (!upload) return request
              checkUpload(upload, config, chain)
              if (held + upload.length > config.uploads * MOST_BODIES)
                refuseCall('Busy', `${name} is being sent as much as the gate can hold. Try again later.`)
              own = upload.length
              held += own
              return request
            },
            name: ({ method, path }) => `${method} ${path}`,
            receive(request) {
              if (request.upload) return receive(request, request.upload, body, signal)
              return body ? passOver(request, body, signal) : undefined
            },
            async carryOut(request) {
              const answer = cleanAnswer(await sendOnce(request, signal), base, redactor)
              return { answer, outcome: answer.status < 400 ? 'ok' : 'error' }
            },
          },
          address,
        )
      } finally {
        held -= own
      }
    },
  }
}
