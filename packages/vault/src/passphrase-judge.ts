import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import type { PassphraseAssessment } from './config.ts'
import { reasonOf, VaultError } from './errors.ts'

/** Beyond this many characters the estimate gains nothing and costs time that grows with the square. */
const ESTIMATED = 128

let loading: Promise<ZxcvbnFactory> | undefined

/** The dictionaries are about a megabyte: they are loaded with the first passphrase that somebody chooses. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  })
}

/**
 * Judges a new passphrase where the vault's config names no other judge.
 *
 * @returns zxcvbn's score, 0 to 4
 * @throws VaultError OPERATION_FAILED where the dictionaries cannot be loaded; a failed load is tried again by the next call
 */
export async function judgePassphrase(passphrase: string): Promise<PassphraseAssessment> {
  loading ??= load()
  try {
    const estimator = await loading
    const { score } = estimator.check([...passphrase].slice(0, ESTIMATED).join(''), ['keyhole'])
    return { score }
  } catch (error) {
    loading = undefined
    throw new VaultError(
      'OPERATION_FAILED',
      'How strong this passphrase is could not be told: what that takes did not load. Nothing was changed; try again.',
      { reason: reasonOf(error) },
      { cause: error },
    )
  }
}
