import type { Missing } from '@keyhole/verify'

/**
 * Why a gate can't be opened, or can't go on.
 *
 * - `INVALID_CONFIG`: the configuration is wrong. Nothing was started.
 * - `CREDENTIAL_MISSING`: a credential can't be read from its source, or is too short to be cut out of answers.
 * - `SERVER_FAILED`: the server behind the gate, or a gate elsewhere, can't be started or reached, or gives no list.
 * - `LISTEN_FAILED`: the address is taken, or can't be used.
 * - `LOGIN_NEEDED`: a person has to log in to the server: there is no login, or it can't be renewed.
 * - `LOGIN_FAILED`: the login was refused, or the server or its issuer doesn't do what MCP asks of them.
 * - `INVALID_ANSWER`: what came back isn't an owner's answer to this introduction.
 * - `REVOCATION_TOO_LONG`: the revocation is longer than the gate reads. It was not kept, and has no effect.
 * - `CLUSTER_FAILED`: the NATS cluster can't be reached, or can't count calls.
 */
export type GateErrorCode =
  | 'INVALID_CONFIG'
  | 'CREDENTIAL_MISSING'
  | 'SERVER_FAILED'
  | 'LISTEN_FAILED'
  | 'LOGIN_NEEDED'
  | 'LOGIN_FAILED'
  | 'INVALID_ANSWER'
  | 'REVOCATION_TOO_LONG'
  | 'CLUSTER_FAILED'

/** The gate can't work. The message is for people, and has no secret in it. */
export class GateError extends Error {
  override readonly name = 'GateError'
  readonly code: GateErrorCode

  constructor(code: GateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Why a call was refused. Besides the names of a token's refusals (`MatchError`, `Revoked`, …):
 *
 * - `UnknownServer`, `UnknownService`, `UnknownTool`, `MalformedCall`: the signed arguments name nothing that is here, or have another form.
 * - `ToolChanged`: the server describes the tool differently from when the gate first saw it.
 * - `UnknownArgument`: the tool or prompt has no argument of that name.
 * - `UnclearPath`: a path isn't written the one way in which it can be compared. `resolved` has it that way, if it exists.
 * - `BodyUnseen`: a limit is about what is in the body, which was sent beside the call.
 * - `AskFirst`: the owner allows such calls one by one, or the call's `once` is no unused approval of it. `once` is what a grant for this one names.
 * - `OverBudget`: too many of such calls were made in this period, or too much was asked for in them.
 * - `Busy`: too many calls are running or waiting to be checked, or too many bytes are being sent beside them.
 * - `Unavailable`: no decision could be made.
 * - `ServerFailed`: the server gave no answer. It may have carried out the call.
 * - `AnswerTooLong`, `AnswerWithheld`: the server answered, but the answer is too long, or has a credential in it.
 */
export type CallRefusalName = string

export interface RefusalDetails extends ErrorOptions {
  /** The call's arguments with every path as the gate compares it. Sign these instead. */
  readonly resolved?: Readonly<Record<string, unknown>> | undefined
  /** What to ask the owner for, if a grant would help. */
  readonly missing?: Missing | undefined
  /** Of `AskFirst`: the field `once` of the call, and of the grant that allows it. */
  readonly once?: string | undefined
}

/** A call was refused. The message is for people and agents, and has no secret in it. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  readonly code: CallRefusalName
  readonly resolved: Readonly<Record<string, unknown>> | undefined
  readonly missing: Missing | undefined
  readonly once: string | undefined

  constructor(code: CallRefusalName, message: string, details: RefusalDetails = {}) {
    super(message, details)
    this.code = code
    this.resolved = details.resolved
    this.missing = details.missing
    this.once = details.once
  }
}

/** @throws CallRefused always */
export function refuseCall(code: CallRefusalName, message: string, details?: RefusalDetails): never {
  throw new CallRefused(code, message, details)
}
