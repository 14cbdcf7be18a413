// A reporter for Vitest. Its JSON report leaves out errors that no test waited for, and these fail a run too.
import { writeFileSync } from 'node:fs'

/** @typedef {{file: string, test: string, message: string}} Unhandled */

/** Writes them, as a list of {@link Unhandled}, to the file that KEYHOLE_UNHANDLED names. */
export default class UnhandledErrors {
  /**
   * @param {readonly unknown[]} _modules
   * @param {readonly import('vitest').SerializedError[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const told = errors.map((error) => ({
      file: error.VITEST_TEST_PATH ?? '',
      test: error.VITEST_TEST_NAME ?? error.type ?? 'outside any test',
      message: [error.stack ?? error.message, error.cause?.stack].filter(Boolean).join('\nbecause of '),
    }))
    writeFileSync(process.env.KEYHOLE_UNHANDLED, JSON.stringify(told))
  }
}
