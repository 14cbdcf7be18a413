import type { IntroductionProblem } from '@keyhole/vault/services'
import { t } from '@lingui/core/macro'

/** Why a text introduces no one, and what to do. */
export function problemWords(problem: IntroductionProblem): string {
  switch (problem) {
    case 'none':
      return t`This isn’t an introduction, or part of it is missing. Copy all of it and try again.`
    case 'too-long':
      return t`This is too long to be an introduction. Keyhole didn’t read it.`
    case 'expired':
      return t`This introduction is more than a week old, or a clock is wrong. Ask for a new one: keyhole gate introduce.`
    case 'unsigned':
      return t`This introduction isn’t signed by the service that it is about. Don’t trust who sent it.`
    case 'too-deep':
      return t`It describes a tool in more than 64 levels, which Keyhole doesn’t read. Update the gate and ask for a new one.`
    case 'damaged':
      return t`This isn’t in the form that Keyhole knows. Ask for a new one, or update the gate that made it.`
  }
}
