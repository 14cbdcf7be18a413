import type { TokenErrorName } from '@keyhole/enclave'
import { msg } from '@lingui/core/macro'
import type { Told } from './told.ts'

/** What a token is refused with, by the rule that it broke. */
export const TOKEN_REFUSALS = {
  MalformedToken: {
    title: msg`This cannot be read as a token.`,
    advice: msg`It may have been cut or changed on its way. Ask for it again and paste all of it, from the first letter to the last.`,
  },
  UnsupportedVersion: {
    title: msg`This token is of a version that Keyhole does not read.`,
    advice: msg`Keyhole reads UCAN 1.0.0. Ask whoever made it for one of that version.`,
  },
  InvalidSignature: {
    title: msg`A signature does not fit.`,
    advice: msg`The token was changed after it was signed, or signed by another key than the one it names. Do not rely on it.`,
  },
  Expired: {
    title: msg`It has expired.`,
    advice: msg`Ask whoever granted it for a new one, or choose an end that is still to come.`,
  },
  TooEarly: {
    title: msg`It is not valid yet.`,
    advice: msg`It has a start that is still to come. Try again after that moment.`,
  },
  InvalidAudience: {
    title: msg`It was made out to someone else.`,
    advice: msg`Only the holder of the DID it names as audience can use it or pass it on. Check which of your keys it was given to.`,
  },
  InvalidSubject: {
    title: msg`The chain is about different subjects.`,
    advice: msg`Each link must be about what the first one granted. The token cannot be used as it is.`,
  },
  InvalidCommand: {
    title: msg`It asks for more than was granted.`,
    advice: msg`Choose a command that stands under the one that was granted: /msg/send stands under /msg.`,
  },
  InvalidClaim: {
    title: msg`It claims more than the chain gives.`,
    advice: msg`What is passed on must come from its owner, and stay within what was given.`,
  },
  UnavailableProof: {
    title: msg`A link of the chain is missing.`,
    advice: msg`Ask for the token with all of its proofs: Keyhole’s own texts always carry them.`,
  },
  MatchError: {
    title: msg`A limit of the grant is not met.`,
    advice: msg`What is asked lies outside the policy of the chain.`,
  },
  Revoked: {
    title: msg`It was revoked.`,
    advice: msg`Whoever granted it took it back. Ask them for a new one.`,
  },
  RevocationUnknown: {
    title: msg`Whether it was revoked cannot be told.`,
    advice: msg`Somebody who may revoke it seems to have, and that cannot be checked now. Do not rely on it until it can; ask whoever granted it.`,
  },
  TooMuchWork: {
    title: msg`It takes too much work to check.`,
    advice: msg`It is much longer or more tangled than it needs to be, so it was not checked to the end: whether it holds is not known. Do not rely on it, and ask for a simpler one.`,
  },
  Replayed: { title: msg`It was used before.`, advice: msg`Each request counts once. Ask for a new one.` },
} as const satisfies Readonly<Record<TokenErrorName, Told<unknown>>>
