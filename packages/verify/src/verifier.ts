import { createVerifier as createChecker, createEnclave, isRefusal } from '@keyhole/enclave'
import { ask, type Checker } from './checker.ts'
import type { ClaimStore } from './claims/claim-store.ts'
import { VerifyError } from './errors.ts'
import { atOnce, endTimersWithRequests } from './fairness/at-once.ts'
import { Lanes } from './fairness/lanes.ts'
import { missingOf } from './missing.ts'
import { findRevocations, type RevocationSource } from './revocations/revocation-source.ts'
import { type Taken, takeRevocation } from './revocations/take-revocation.ts'
import { type Call, type Refusal, type Refused, refuse, type Verdict } from './verdict.ts'
import { checkExpected, readVerifierOptions } from './verifier-options.ts'

export interface VerifierOptions {
  /** DIDs of the owners served here. An invocation for any other subject is a stranger's, and refused. */
  readonly subject: string | readonly string[]
  /** DID that invocations are addressed to. Default: `subject`, if there is one. */
  readonly audience?: string
  /** Remembers used invocations. */
  readonly replay: ClaimStore
  /** Knows which grants are revoked. */
  readonly revocations: RevocationSource
  /** Accepted clock difference, in seconds. Default: 60. */
  readonly skew?: number
  /** How far ahead an invocation's expiry may be, in seconds. Default: 300. */
  readonly longest?: number
  /** Checks tokens. Default: two new enclaves without keys, one of them for strangers. `close` closes those. */
  readonly enclave?: Checker
  /**
   * The enclave's compiled plugin. With it, tokens are checked in this thread, without a worker: where there is none, or
   * to save the trip. Default: undefined. Don't set `enclave` too.
   */
  readonly module?: WebAssembly.Module
  /** Checks the tokens of strangers. Default: `enclave`, if given. */
  readonly strangers?: Checker
  /** Milliseconds since 1970. Default: the platform's clock. */
  readonly clock?: () => number
}

/** What this call must be. */
export interface Expected {
  /** The exact command. Default: any, so the caller must look at it. */
  readonly command?: string
  /**
   * Compares the signed arguments with the request, before the invocation is used up. Doesn't authorize: `check` may
   * still refuse. What it throws, `check` throws.
   * @returns what is wrong; undefined if they match
   */
  readonly compare?: (call: Call) => Pick<Refusal, 'message' | 'expected' | 'found'> | undefined
}

export interface CheckOptions {
  /** IP address of the client, so that one client can't keep others waiting. */
  readonly address?: string | undefined
}

export interface Verifier {
  /** DIDs of the owners served here. */
  readonly subjects: readonly string[]
  /** DID that invocations are addressed to. */
  readonly audience: string
  /**
   * Checks an invocation and, if it is allowed, uses it up. The same invocation is never authorized twice, so you can't
   * check it without using it.
   * @param token the invocation with its proofs, as container text
   * @throws VerifyError if no decision can be made: nothing was authorized, though the invocation may be used up;
   *   INVALID_OPTIONS if `expected` has an option that doesn't exist, or one that is wrong
   */
  check(token: string, expected?: Expected, options?: CheckOptions): Promise<Verdict>
  /**
   * Checks a delivered revocation, and adds it to `revocations`, which must be a store such as `memoryRevocations`.
   * From then on it applies to each chain in which its signer may revoke.
   * @param token the revocation with its proofs, as token text
   * @throws VerifyError INVALID_OPTIONS if `revocations` can't be added to; STORE_FAILED if it is full; BUSY,
   *   CHECK_FAILED
   */
  revoke(token: string, options?: CheckOptions): Promise<Taken>
  close(): Promise<void>
}

/** Maximum length of a token, in characters: a chain of 64 delegations takes about half of this. */
export const LONGEST_TOKEN = 48 * 1_024
/** Maximum length of a revocation with its proofs, in characters. */
const LONGEST_REVOCATION = 64 * 1_024
/** Longer than any check in our own enclaves takes, in milliseconds. */
const PATIENCE = 5_000

/** A checked invocation that isn't used up yet. */
type Judged = { readonly call: Call; readonly proofs: number } | (Refused & { readonly proofs: undefined })

/** Creates a verifier. @throws VerifyError INVALID_OPTIONS @throws EnclaveError if the enclave doesn't start */
export async function createVerifier(options: VerifierOptions): Promise<Verifier> {
  const { subjects, audience } = readVerifierOptions(options)
  const { replay, revocations, skew = 60, longest = 300, clock = Date.now } = options
  const { known, strangers, close } = await checkersOf(options)
  const lanes = endTimersWithRequests() ? atOnce(known) : new Lanes<Checker>({ known, strangers })
  const seconds = () => Math.floor(clock() / 1_000)
  let isClosed = false

  /** Checks an invocation by UCAN's rules, and by those of this service. */
  async function judge(checker: Checker, token: string, expected: Expected): Promise<Judged> {
    const now = seconds()
    const input = { invocation: token, audience, now, skew }
    let verdict = await ask(checker, 'validate_invocation', input)
    if (isRefusal(verdict)) return refused(refuse(verdict.name as Refusal['name'], verdict.error, null))
    if (verdict.valid && verdict.chain.length > 0) {
      const { subject, chain } = verdict
      const found = subjects.includes(subject) ? await findRevocations(revocations, subject, chain) : []
      if (found.length > 0) {
        verdict = await ask(checker, 'validate_invocation', { ...input, revocations: found })
        if (isRefusal(verdict))
          throw new VerifyError(
            'REVOCATIONS_UNKNOWN',
            "A revocation of a grant can't be read. Check who sent it.",
          )
      }
    }
    if (!verdict.valid) {
      const missing = await missingOf(checker, token, subjects, verdict.error)
      return refused({ authorized: false, refusal: verdict.error, ...(missing && { missing }) })
    }
    const { subject, issuer, command, args, cid, task, chain, expires_at: end } = verdict
    // Owners may do anything with their own resources, so the subject must be served here.
    if (!subjects.includes(subject))
      return refused(
        refuse('InvalidSubject', 'The subject is not served here.', cid, {
          why: 'NotServedHere',
          expected: subjects,
          found: subject,
        }),
      )
    if (expected.command !== undefined && command !== expected.command)
      return refused(
        refuse('InvalidCommand', 'This call needs another command.', cid, {
          why: 'NotExpected',
          expected: expected.command,
          found: command,
        }),
      )
    // One that never expires would have to be remembered forever.
    if (end === null || end > now + longest + skew)
      return refused(
        refuse('LivesTooLong', `Let the invocation expire within ${longest} seconds.`, cid, {
          expected: now + longest,
          found: end,
        }),
      )
    if (args === undefined)
      return refused(refuse('TooLarge', 'The arguments are too long to be checked.', cid))
    const call = { subject, issuer, command, args, cid, task, chain, expiresAt: end }
    const difference = expected.compare?.(call)
    if (difference) {
      const { message, ...about } = difference
      return refused(refuse('InvalidArguments', message, cid, { why: 'NotExpected', ...about }))
    }
    return { call, proofs: chain.length }
  }

  return {
    subjects,
    audience,
    async check(token, expected = {}, { address } = {}) {
      if (isClosed) throw closed()
      checkExpected(expected)
      const problem = problemOf(token, LONGEST_TOKEN)
      if (problem) return problem
      const judged = await lanes.run(token, address, (checker) => judge(checker, token, expected))
      if (!('call' in judged)) {
        const { proofs: _, ...verdict } = judged
        return verdict
      }
      const { call } = judged
      // Checks nothing after the claim, because that uses the invocation up.
      if (!(await claim(replay, call.cid, call.expiresAt + skew, seconds())))
        return refuse('Replayed', 'This invocation was used before.', call.cid, { why: 'UsedBefore' })
      return { authorized: true, ...call }
    },
    async revoke(token, { address } = {}) {
      if (isClosed) throw closed()
      const problem = problemOf(token, LONGEST_REVOCATION)
      if (problem) return problem
      const taken = await lanes.run(token, address, async (checker) => ({
        taken: await takeRevocation(checker, revocations, token, {
          now: seconds(),
          ...{ skew, subjects, address },
        }),
        proofs: undefined,
        isTelling: false,
      }))
      return taken.taken
    },
    async close() {
      isClosed = true
      lanes.close()
      await close()
    },
  }
}

async function checkersOf({ enclave, module, strangers }: VerifierOptions) {
  const given = module ? createChecker({ module }) : enclave
  if (given) return { known: given, strangers: strangers ?? given, close: async () => {} }
  const start = () => createEnclave({ keyless: true, timeout: PATIENCE })
  const [known, other] = await Promise.all([start(), start()])
  return {
    known,
    strangers: other,
    close: async () => {
      await Promise.all([known.close(), other.close()])
    },
  }
}

/** Problems that show without reading the token. */
function problemOf(token: unknown, longest: number): Refused | undefined {
  if (typeof token !== 'string') return refuse('MalformedToken', 'A token is a text.', null)
  if (token.length > longest)
    return refuse('TooLarge', `This token may have at most ${longest} characters.`, null, {
      expected: longest,
      found: token.length,
    })
  // Half a character can't be sent to the enclave.
  if (/\p{Surrogate}/u.test(token)) return refuse('MalformedToken', 'A token is a text.', null)
  return undefined
}

const closed = () => new VerifyError('CHECK_FAILED', 'This verifier is closed.')

const refused = (verdict: Refused) => ({ ...verdict, proofs: undefined })

async function claim(replay: ClaimStore, cid: string, until: number, now: number): Promise<boolean> {
  try {
    return await replay.claim(cid, until, now)
  } catch (cause) {
    if (cause instanceof VerifyError) throw cause
    const message = "The store of used invocations can't answer. Check it, and try again."
    throw new VerifyError('STORE_FAILED', message, { cause })
  }
}
