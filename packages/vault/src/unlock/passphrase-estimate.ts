import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** What estimates how hard a passphrase is to guess. */
export type Estimator = ZxcvbnFactory
/** What it answers: a score from 0 to 4, and what holds it back, by names of its own. */
export type Estimate = ReturnType<ZxcvbnFactory['check']>

/** Beyond this many characters the estimate gains nothing and costs time that grows with the square. */
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
    // Without translations it answers with its own names, which whoever shows them puts into words, in any language.
    graphs: common.adjacencyGraphs,
  })
}

/** Fetches the dictionaries, about a megabyte, once. A failed fetch is tried again by the next call. @throws Error */
export function loadEstimator(): Promise<Estimator> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * Estimates how hard a passphrase, in its NFKC form, is to guess.
 *
 * @param known words that an attacker would try first: the account's name, its address
 */
export function estimate(estimator: Estimator, passphrase: string, known: readonly string[] = []): Estimate {
  const text = [...passphrase.normalize('NFKC')].slice(0, ESTIMATED).join('')
  return estimator.check(text, ['keyhole', ...known.filter((word) => word !== '')])
}
