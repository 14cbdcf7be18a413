import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Estimates how hard a passphrase is to guess. */
export type Estimator = ZxcvbnFactory
/** The estimator's answer: a score from 0 to 4, and the names of what makes the passphrase weak. */
export type Estimate = ReturnType<ZxcvbnFactory['check']>

/** More characters than this don't improve the estimate, and its time grows with the square. */
const ESTIMATED = 128

let loading: Promise<Estimator> | undefined

async function load(): Promise<Estimator> {
  const [context, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new context.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    // Without translations it answers with names, which the caller can translate into any language.
    graphs: common.adjacencyGraphs,
  })
}

/** Loads the dictionaries, about a megabyte, once. After a failed load the next call tries again. @throws Error */
export function loadEstimator(): Promise<Estimator> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * Estimates how hard the NFKC form of a passphrase is to guess.
 * @param known words an attacker would try first: the account's name, its address
 */
export function estimate(estimator: Estimator, passphrase: string, known: readonly string[] = []): Estimate {
  const text = [...passphrase.normalize('NFKC')].slice(0, ESTIMATED).join('')
  return estimator.check(text, ['keyhole', ...known.filter((word) => word !== '')])
}
