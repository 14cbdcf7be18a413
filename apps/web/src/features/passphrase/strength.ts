import { t } from '@lingui/core/macro'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { feedbackWords } from './feedback.ts'

/** How strong a passphrase is, and why. */
export interface Strength {
  /** zxcvbn's score, 0 to 4; 3 is enough. */
  score: number
  /** Whether it may be used: long enough, short enough and strong enough. */
  enough: boolean
  /** What holds it back and what would help, in sentences. */
  reasons: string[]
}

export const SHORTEST = 12
export const LONGEST_BYTES = 1024
export const LEAST_SCORE = 3

/** Beyond this many characters the estimate gains nothing and costs time that grows with the square. */
const ESTIMATED = 128

let loading: Promise<ZxcvbnFactory> | undefined

async function load(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    // Without translations it answers with its own names: what it says is put into words here, in any language.
    graphs: common.adjacencyGraphs,
  })
}

/** Fetches the dictionaries, about a megabyte, once; asked for with the first keystroke. A failed fetch is tried again. */
export function loadEstimator(): Promise<ZxcvbnFactory> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Characters of a passphrase as they count: code points of its NFKC form. */
export function countCharacters(passphrase: string): number {
  return [...passphrase.normalize('NFKC')].length
}

/** What can be told at once, without dictionaries: its length. */
export function lengthProblem(passphrase: string): string | undefined {
  const count = countCharacters(passphrase)
  if (count < SHORTEST) {
    const more = SHORTEST - count
    return t`At least ${SHORTEST} characters: ${more} more.`
  }
  const bytes = new TextEncoder().encode(passphrase.normalize('NFKC')).length
  if (bytes > LONGEST_BYTES) return t`At most ${LONGEST_BYTES} bytes: this has ${bytes}.`
  return undefined
}

/**
 * Judges a passphrase.
 * @param known words an attacker would try first: the account's name, its address
 */
export function judge(estimator: ZxcvbnFactory, passphrase: string, known: readonly string[]): Strength {
  const text = [...passphrase.normalize('NFKC')].slice(0, ESTIMATED).join('')
  const { score, feedback } = estimator.check(text, ['keyhole', ...known.filter((word) => word !== '')])
  const length = lengthProblem(passphrase)
  const said = feedbackWords(feedback.warning, feedback.suggestions)
  const reasons = length === undefined ? said : [length, ...said]
  return { score, enough: length === undefined && score >= LEAST_SCORE, reasons }
}
