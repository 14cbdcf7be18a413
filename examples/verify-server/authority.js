// Who may do what here: the checks of UCAN are the enclave's, what is ours is added to them.
import { isRefusal } from '@keyhole/enclave'

/**
 * @typedef {import('@keyhole/enclave').Enclave} Enclave
 * @typedef {import('@keyhole/enclave').ValidInvocation} ValidInvocation
 * @typedef {import('@keyhole/enclave').ValidationResult} ValidationResult
 * @typedef {import('@keyhole/enclave').ValidationChecks} ValidationChecks
 * @typedef {import('./revocation-store.js').Revocation} Revocation
 *
 * @typedef {object} Problem what is refused
 * @property {string} name the broken rule
 * @property {string} [why] its reason, of a rule that has several
 * @property {unknown} [expected] what the rule wanted: a DID, a command, a moment in seconds since 1970, a number of bytes
 * @property {unknown} [found] what was there
 * @property {string} message the same for developers; no program is to compare it
 * @property {string | null} cid the token that broke the rule
 *
 * @typedef {object} AuthorityOptions
 * @property {Enclave} enclave a keyless one
 * @property {string} did whose resources these are: invocations are to be addressed to it and about it
 * @property {import('./replay-store.js').ReplayStore} replays
 * @property {import('./revocation-store.js').RevocationStore} revocations
 * @property {() => number} now the time, in whole seconds since 1970
 * @property {number} [skew] seconds of clock difference allowed; default 60
 * @property {number} [longest] seconds that an invocation may still be good for; default 3,600
 */

/** What decides about invocations, and takes in revocations. */
export class Authority {
  #options

  /** @param {AuthorityOptions} options */
  constructor(options) {
    this.#options = { skew: 60, longest: 3600, ...options }
  }

  /**
   * Decides about an invocation. Where it is authorised it is used up: a second time it is `Replayed`.
   *
   * @param {string} invocation token text, with its proofs
   * @param {Enclave} [enclave] the one to ask; default: the authority's own
   * @returns {Promise<{authorised: ValidInvocation} | {error: Problem}>}
   * @throws {Error} where the enclave or a store fails: nothing is authorised then
   */
  async authorise(invocation, enclave = this.#options.enclave) {
    const { did, replays, skew, longest } = this.#options
    const now = this.#options.now()
    let verdict = await this.#validate(enclave, { invocation, audience: did, now })
    if (verdict.valid) {
      const revocations = await this.#revocationsOf(verdict)
      if (revocations.length > 0)
        verdict = await this.#validate(enclave, { invocation, audience: did, now, revocations })
    }
    if (!verdict.valid) return { error: verdict.error }
    const { cid, subject, expires_at: end } = verdict
    // Anybody may do anything with what is their own: that a chain holds says nothing unless it begins with us.
    if (subject !== did) {
      const about = { why: 'NotServedHere', expected: did, found: subject }
      return problem('InvalidSubject', `Nothing here belongs to ${subject}.`, cid, about)
    }
    // What never ends would have to be remembered for ever.
    if (end === null || end - now > longest) {
      const about = { expected: now + longest, found: end }
      return problem('LivesTooLong', `An invocation is to expire within ${longest} seconds here.`, cid, about)
    }
    if (await replays.claim(cid, end + skew)) return { authorised: verdict }
    return problem('Replayed', 'This invocation was used before.', cid, { why: 'UsedBefore' })
  }

  /**
   * Takes in a revocation whose signature and own proofs hold. Whether it takes effect is decided for each chain it is
   * held against; its delegation need not have been seen.
   *
   * @param {string} token the revocation; its text may carry the delegation that it is about
   * @param {Enclave} [enclave] the one to ask; default: the authority's own
   * @returns {Promise<{accepted: Omit<Revocation, 'token'>} | {error: Problem}>}
   * @throws {Error} where the enclave or the store fails
   */
  async takeRevocation(token, enclave = this.#options.enclave) {
    const { revocations, skew } = this.#options
    const tokens = await payloads(enclave, token)
    const verdict = await this.#validateForEver(enclave, token, tokens)
    if (!verdict.valid) return { error: verdict.error }
    const { cid, command, subject: by } = verdict
    const revokes = cidIn(verdict.args?.revoke)
    if (command !== '/ucan/revoke' || revokes === undefined || !(await reads(enclave, token))) {
      const about = { expected: '/ucan/revoke', found: command }
      return problem(
        'NotARevocation',
        'A revocation is an invocation of /ucan/revoke with a CID.',
        cid,
        about,
      )
    }
    if (!(await revocations.add({ cid, revokes, by, token }))) {
      return problem('Full', 'There is no room for another revocation. Try again later.', cid)
    }
    const end = tokens.find((each) => each.cid === revokes)?.payload.exp
    if (typeof end === 'number') await revocations.mayForget(revokes, end + skew)
    return { accepted: { cid, revokes, by } }
  }

  /**
   * Texts of the revocations that may concern a chain: whoever revokes has issued some of it.
   * @param {ValidInvocation} invocation
   */
  async #revocationsOf({ chain }) {
    const { revocations, skew } = this.#options
    const found = await revocations.about(chain.map(({ cid }) => cid))
    for (const { cid, expires_at: end } of chain) {
      const known = found.some(({ revokes }) => revokes === cid)
      if (known && end !== null) await revocations.mayForget(cid, end + skew)
    }
    const issuers = new Set(chain.map(({ issuer }) => issuer))
    return found.filter(({ by }) => issuers.has(by)).map(({ token }) => token)
  }

  /**
   * A revocation is for ever: one that has expired is checked at the end of its time.
   * @param {Enclave} enclave @param {string} invocation @param {readonly {payload: Readonly<Record<string, unknown>>}[]} tokens
   */
  async #validateForEver(enclave, invocation, tokens) {
    const verdict = await this.#validate(enclave, { invocation, now: this.#options.now() })
    if (verdict.valid || verdict.error.name !== 'Expired') return verdict
    const ends = tokens.map(({ payload }) => payload.exp).filter((end) => typeof end === 'number')
    return await this.#validate(enclave, { invocation, now: Math.min(...ends) })
  }

  /** @param {Enclave} enclave @param {{invocation: string} & ValidationChecks} input @returns {Promise<ValidationResult>} */
  async #validate(enclave, input) {
    const { skew } = this.#options
    /** @type {ValidationResult | import('@keyhole/enclave').Refusal} */
    const verdict = await enclave.call('validate_invocation', { ...input, skew })
    if (isRefusal(verdict)) throw new Error(`The enclave refused to validate: ${verdict.error}`)
    return verdict
  }
}

/**
 * Whether the enclave reads a revocation in it. One that it does not read it would refuse with every chain.
 * @param {Enclave} enclave @param {string} token
 */
async function reads(enclave, token) {
  const input = { invocations: [], revocations: [token] }
  return !isRefusal(await enclave.call('validate_batch', input))
}

/**
 * Every token of a text, unjudged; none where it cannot be read.
 * @param {Enclave} enclave @param {string} token
 * @returns {Promise<readonly {cid: string, payload: Readonly<Record<string, unknown>>}[]>}
 */
async function payloads(enclave, token) {
  const inspected = await enclave.call('inspect_token', { token })
  return isRefusal(inspected) ? [] : inspected.tokens
}

/** A CID in DAG-JSON: a link, or text. @param {unknown} value @returns {string | undefined} */
function cidIn(value) {
  const link = typeof value === 'object' && value !== null && '/' in value ? value['/'] : value
  return typeof link === 'string' ? link : undefined
}

/**
 * @param {string} name @param {string} message @param {string} cid @param {Pick<Problem, 'why' | 'expected' | 'found'>} [about]
 * @returns {{error: Problem}}
 */
function problem(name, message, cid, about) {
  return { error: { name, message, cid, ...about } }
}
