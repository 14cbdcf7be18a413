// The forms of a case.

import { text } from './container.mjs'
import { NOW, taskOf } from './token.mjs'

/** @typedef {import('./token.mjs').Token} Token */
/** @typedef {{ name: string, rule: string, call: string, input: object, expect: object }} Case */

/** Who is refused: the token, its CID alone, or nobody in particular. @param {Token | string | undefined} about */
const cidOf = (about) => (typeof about === 'object' ? about.cid : about)

/**
 * What a refusal answers.
 *
 * @param {string} name
 * @param {Token | string} [about]
 */
export const refusal = (name, about) => ({
  valid: false,
  error: about === undefined ? { name } : { name, cid: cidOf(about) },
})

/**
 * What an invocation that holds answers.
 *
 * @param {Token} invocation
 * @param {Token[]} chain
 */
export const holding = (invocation, chain) => ({
  valid: true,
  cid: invocation.cid,
  task: taskOf(invocation),
  chain: chain.map(({ cid }) => ({ cid })),
})

/**
 * Makes the cases of one rule, whose names start with it.
 *
 * @param {string} rule
 */
export function casesOf(rule) {
  /** @type {Case[]} */
  const cases = []
  const add = (
    /** @type {string} */ call,
    /** @type {string} */ name,
    /** @type {object} */ input,
    /** @type {object} */ expect,
  ) => cases.push({ name: `${rule}: ${name}`, rule, call, input, expect })

  return {
    cases,
    add,

    /**
     * An invocation with its proofs, root first, in one text: it holds.
     *
     * @param {string} name
     * @param {Token} invocation
     * @param {Token[]} [chain]
     * @param {object} [input] fields beside, or in the place of, the text and the moment
     * @param {object} [expect] fields beside the CIDs and the task
     */
    accept(name, invocation, chain = [], input = {}, expect = {}) {
      const given = { invocation: text([invocation, ...chain]), now: NOW, ...input }
      add('validate_invocation', name, given, { ...holding(invocation, chain), ...expect })
    },

    /**
     * The same, and it is refused.
     *
     * @param {string} name
     * @param {string} error
     * @param {Token | string | undefined} about
     * @param {Token} invocation
     * @param {Token[]} [chain]
     * @param {object} [input]
     */
    refuse(name, error, about, invocation, chain = [], input = {}) {
      const given = { invocation: text([invocation, ...chain]), now: NOW, ...input }
      add('validate_invocation', name, given, refusal(error, about))
    },
  }
}
