import { isAboutToken } from '../base/errors.ts'
import type { KeyVault } from '../key-vault.ts'
import {
  type FormProblem,
  type Introduction,
  introductionOf,
  LONGEST_INTRODUCTION_TEXT,
} from './introduction.ts'

/** How an introduction as text starts. */
export const INTRODUCTION = 'keyhole-service-1.'
const COMMAND = '/service/introduce'

/** A service that introduced itself: it is signed by the key of this DID. */
export interface Introduced extends Introduction {
  readonly did: string
  /** The JSON that was signed, as it is stored. */
  readonly json: string
  /** The introduction as text, without what was around it: answers are bound to it. */
  readonly text: string
}

/**
 * Why a text introduces no one. `none`: it isn't an introduction, or it was cut off. `too-long`. `expired`: it is older than its week, or a
 * clock is wrong. `unsigned`: it isn't signed by whom it introduces. `damaged`: it is signed, but has another form. `too-deep`: a schema in it is
 * nested to more than 64 levels.
 */
export type IntroductionProblem = 'none' | 'too-long' | 'expired' | 'unsigned' | FormProblem

/**
 * Reads an introduction from a text, or a link that ends in one, and checks who signed it. Needs no account, and changes nothing.
 *
 * @throws VaultError if the enclave can't be asked
 */
export async function readIntroduction(
  vault: KeyVault,
  text: string,
): Promise<{ readonly introduced: Introduced } | { readonly problem: IntroductionProblem }> {
  if (text.length > LONGEST_INTRODUCTION_TEXT) return { problem: 'too-long' }
  const [, invocation] = /keyhole-service-1\.([\w-]+)$/.exec(text.replace(/\s/g, '')) ?? []
  if (invocation === undefined) return { problem: 'none' }
  const checked = await vault.tokens.validate({ invocation }).catch((error) => {
    if (isAboutToken(error)) return undefined
    throw error
  })
  if (!checked) return { problem: 'none' }
  if (!checked.valid) {
    const { name } = checked.error
    return { problem: name === 'Expired' ? 'expired' : name === 'MalformedToken' ? 'none' : 'unsigned' }
  }
  const { command, subject, issuer, chain, args } = checked
  // Signed by the key that it is about, and not by someone who was allowed to speak for it.
  if (command !== COMMAND || subject !== issuer || chain.length > 0) return { problem: 'unsigned' }
  const { introduction: json } = Object(args)
  if (Object.keys(Object(args)).length !== 1) return { problem: 'damaged' }
  const introduction = introductionOf(json)
  return typeof introduction === 'string'
    ? { problem: introduction }
    : {
        introduced: {
          ...introduction,
          did: issuer,
          json: String(json),
          text: `${INTRODUCTION}${invocation}`,
        },
      }
}
