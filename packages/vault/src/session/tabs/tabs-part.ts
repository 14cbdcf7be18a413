import { refused } from '../../base/errors.ts'
import type { Changes } from '../changes.ts'
import type { OpenTabs } from './open-tabs.ts'

/** The tabs in `snapshot.tabs`, and how to end them. */
export class TabsPart {
  readonly #openTabs: OpenTabs
  readonly #changes: Changes

  constructor(openTabs: OpenTabs, changes: Changes) {
    this.#openTabs = openTabs
    this.#changes = changes
  }

  /**
   * Ends another tab of `snapshot.tabs`: it leaves the account at once and says so. Here the account stays as it is.
   * Reloading that tab, or pressing its button, opens the account again.
   * @throws VaultError OPERATION_FAILED if there is no such tab
   */
  async end(id: string): Promise<void> {
    if (!(await this.#openTabs.end(id))) {
      throw refused('TabClosed', {}, { details: { id } })
    }
    await this.#changes.mention('endTab', { ended: id })
  }

  /** Ends every other tab of the account. @returns how many there were */
  async endOthers(): Promise<number> {
    const tabs = await this.#openTabs.endOthers()
    if (tabs > 0) await this.#changes.mention('endTab', { tabs })
    return tabs
  }
}
