// `like` with fifty stars against ten thousand characters, as part of a whole invocation. The policy comes from an attacker. A backtracking
// matcher, such as the regular expression that iso-ucan makes of a pattern, takes the length to the power of the stars, so iso-ucan only
// gets as much as it can answer.
import { createEnclave } from '@keyhole/enclave'
import { validate } from 'iso-ucan/policy'
import { text as containerOf } from '../vectors/generate/container.mjs'
import { alice, bob } from '../vectors/generate/keys.mjs'
import { delegate, invoke } from '../vectors/generate/token.mjs'
import { expect, times } from './measure.mjs'

const STARS = 50
const LETTERS = 10_000
/** What the other library gets: each additional star takes about ten times as long. */
const FEWER = { stars: 5, letters: 60 }

/** Matches no text of a single repeated letter. */
const pattern = (stars) => `${'*a'.repeat(stars)}*b`

export async function figures() {
  const enclave = await createEnclave()
  const asked = (policy, text) => {
    const root = delegate({ from: alice, to: bob, pol: policy })
    const request = invoke({ by: bob, sub: alice, args: { text }, proofs: [root] })
    const invocation = containerOf([root, request], 'C')
    return () => enclave.call('validate_invocation', { invocation })
  }
  const text = 'a'.repeat(LETTERS)
  const globbed = asked([['like', '.text', pattern(STARS)]], text)
  const equal = asked([['==', '.text', `${text}b`]], text)
  for (const run of [globbed, equal]) {
    const answer = await run()
    expect(answer.error?.name === 'MatchError', 'the policy does not hold')
  }
  const few = 'a'.repeat(FEWER.letters)
  const theirs = async () => {
    expect(!validate({ text: few }, [['like', '.text', pattern(FEWER.stars)]]), 'theirs does not hold either')
  }
  const taken = await times({ globbed: { run: globbed }, equal: { run: equal }, theirs: { run: theirs } })
  await enclave.close()
  return [
    {
      title: `like: ${STARS} stars against ${LETTERS.toLocaleString('en-GB')} characters`,
      note: 'Ours with everything else that an invocation takes: text, signatures, chain.',
      better: 'less',
      rows: [
        { name: 'Keyhole, validate_invocation', unit: 'ms', value: taken.globbed },
        { name: 'Keyhole, with == in the place of like', unit: 'ms', value: taken.equal },
        {
          name: `iso-ucan 0.5.0, like alone, ${FEWER.stars} stars against ${FEWER.letters} characters`,
          unit: 'ms',
          value: taken.theirs,
        },
      ],
    },
  ]
}
