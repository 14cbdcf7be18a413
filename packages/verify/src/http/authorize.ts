// Checks the token of a request's `Authorization` header.
import { VerifyError } from '../errors.ts'
import type { Authorized, Missing, Verdict } from '../verdict.ts'
import type { Expected, Verifier } from '../verifier.ts'
import { type Answer, answerTo, type Help, type Problem, problemOf } from './answer.ts'

/** How refusals help the caller, and who gets told about failures. */
export interface HelpOptions {
  /** The owner's vault, such as `https://vault.example`, for the ready request. */
  readonly vault?: string
  /** What the call is for, shown to the owner with the request. At most 300 characters. */
  readonly reason?: string
  /** Called when no decision can be made, for example because a store fails. Default: logs the error. */
  readonly onError?: (error: unknown) => void
}

/** What a route requires. */
export interface GuardOptions<Request> extends HelpOptions {
  /** The exact command, or a function that gets it from the request. */
  readonly command: string | ((request: Request) => string)
  /** Limits for the ready request of a call without a token, as UCAN policy statements. Default: none. */
  readonly policy?: (request: Request) => readonly unknown[]
  /** Compares the signed arguments with the request, before the invocation is used up. */
  readonly compare?: (request: Request, args: Readonly<Record<string, unknown>>) => boolean
  /** IP address of the client. Default: that of the connection, if the framework knows it. */
  readonly address?: (request: Request) => string | undefined
}

/** Logs an error, which never contains a secret. */
const log = (error: unknown): void => console.error(error)

export interface Asking extends HelpOptions {
  /** Every `Authorization` header of the request. */
  readonly headers: readonly string[]
  readonly address: string | undefined
  readonly expected: Expected
  /** What to ask for if there is no token. */
  readonly wanted: Omit<Missing, 'subject'> | undefined
}

/** Checks a request. @returns the authorized call, or the answer */
export async function authorize(verifier: Verifier, asking: Asking): Promise<Authorized | Answer> {
  const { headers, address, expected, wanted, onError = log } = asking
  const token = tokenIn(headers)
  if (typeof token !== 'string') {
    const [subject, ...others] = verifier.subjects
    const isClear = subject !== undefined && others.length === 0 && token.name === 'MissingToken'
    return answerTo(token, isClear && wanted ? helpOf(verifier, { subject, ...wanted }, asking) : undefined)
  }
  let verdict: Verdict
  try {
    verdict = await verifier.check(token, expected, { address })
  } catch (error) {
    const isBusy = error instanceof VerifyError && error.code === 'BUSY'
    if (!isBusy) onError(error)
    return answerTo(problemOf(error))
  }
  if (verdict.authorized) return verdict
  const { refusal, missing } = verdict
  return answerTo(refusal, missing && helpOf(verifier, missing, asking))
}

/** Checks a request as a guard's options say. @returns the authorized call, or the answer */
export function authorizeRequest<Request>(
  verifier: Verifier,
  options: GuardOptions<Request>,
  request: Request,
  headers: readonly string[],
  connection: string | undefined,
): Promise<Authorized | Answer> {
  let asking: Asking
  try {
    asking = askingOf(options, request, headers, connection)
  } catch (error) {
    // A service's own functions read what a stranger sent. An error that no one catches would end its process.
    const { onError = log } = options
    onError(error)
    return Promise.resolve(answerTo(problemOf(error)))
  }
  return authorize(verifier, asking)
}

/** A guard's question to the verifier about a request. */
function askingOf<Request>(
  { command: wanted, policy, compare, address, ...help }: GuardOptions<Request>,
  request: Request,
  headers: readonly string[],
  connection: string | undefined,
): Asking {
  const command = typeof wanted === 'string' ? wanted : wanted(request)
  return {
    ...help,
    headers,
    address: address ? address(request) : connection,
    expected: {
      command,
      ...(compare && {
        compare: ({ args }) =>
          compare(request, args)
            ? undefined
            : { message: 'The signed arguments are not those of the request.', found: args },
      }),
    },
    wanted: { command, policy: policy?.(request) ?? [] },
  }
}

function helpOf(
  { audience }: Verifier,
  { subject, command, policy }: Missing,
  { vault, reason }: HelpOptions,
): Help {
  const request = {
    command,
    policy,
    ...(vault !== undefined && { vault }),
    ...(reason !== undefined && { reason }),
  }
  return { subject, audience, request }
}

function tokenIn([header, ...others]: readonly string[]): string | Problem {
  if (header === undefined)
    return { name: 'MissingToken', message: 'Send an invocation as Authorization: Bearer.', cid: null }
  const [, token] = /^bearer +([\w+/=.-]+) *$/i.exec(header) ?? []
  if (token !== undefined && others.length === 0) return token
  return { name: 'MalformedHeader', message: 'The header is not Bearer and one token.', cid: null }
}
