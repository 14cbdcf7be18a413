import type { TokenErrorName } from '@keyhole/enclave'
import { msg } from '@lingui/core/macro'
import type { Told } from './by-code.ts'

/** Why a token was refused, by the rule that it broke. */
export const TOKEN_REFUSALS = {
  MalformedToken: {
    title: msg`This cannot be read as a token.`,
    advice: msg`It may have been cut or changed on its way. Ask for it again and paste all of it, from the first letter to the last.`,
  },
  UnsupportedVersion: {
    title: msg`This token is of a version that Keyhole does not read.`,
    advice: msg`Keyhole reads UCAN 1.0.0. Ask for one of that version.`,
  },
  InvalidSignature: {
    title: msg`A signature isn’t valid.`,
    advice: msg`The token was changed after it was signed, or signed by another key than the one it names. Do not rely on it.`,
  },
  Expired: {
    title: msg`It has expired.`,
    advice: msg`Ask for a new one, or choose an expiry that’s still in the future.`,
  },
  TooEarly: {
    title: msg`It is not valid yet.`,
    advice: msg`It starts later. Try again then.`,
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
    advice: msg`Choose a command below the one that was granted: /msg/send is below /msg.`,
  },
  InvalidClaim: {
    title: msg`It claims more than the chain gives.`,
    advice: msg`Each link has to come from the person that the one before was given to, and stay within it.`,
  },
  UnavailableProof: {
    title: msg`A link of the chain is missing.`,
    advice: msg`Ask for the token with all of its proofs: Keyhole’s own texts always carry them.`,
  },
  MatchError: {
    title: msg`A limit of the grant is not met.`,
    advice: msg`The limits in its chain don’t allow this.`,
  },
  Revoked: {
    title: msg`It was revoked.`,
    advice: msg`The person who granted it revoked it. Ask them for a new one.`,
  },
  RevocationUnknown: {
    title: msg`We can’t tell whether it was revoked.`,
    advice: msg`Someone who may revoke it seems to have done so, and we can’t check that now. Don’t rely on it until we can; ask the person who granted it.`,
  },
  TooMuchWork: {
    title: msg`It takes too much work to check.`,
    advice: msg`It’s too long or too complex, so Keyhole stopped checking it. We don’t know if it’s valid: don’t rely on it, and ask for a simpler one.`,
  },
  Replayed: { title: msg`It was used before.`, advice: msg`Each request counts once. Ask for a new one.` },
} as const satisfies Readonly<Record<TokenErrorName, Told<unknown>>>
