import type { KeyVault } from '@keyhole/vault'
import { fetchUses, REPORTING_COMMANDS } from '@keyhole/vault/uses'
import { tokenClient } from '../search-index/token-client.ts'
import { ownRelay } from './own-relay.ts'
import { hasRelay, isRelayOn } from './relay-setting.ts'

/** What came of asking the relay how grants were used. */
export type Asked =
  | 'asked'
  /** The owner let no gate follow their revocations. */
  | 'no-gates'
  /** The server has no relay. */
  | 'no-relay'
  /** The owner turned it off in this browser. */
  | 'off'
  /** The relay doesn't answer, or the reports can't be stored: what was stored before is still there. */
  | 'unreachable'

/** Fetches what gates report from this vault's relay. Never fails. */
export async function askForUses(vault: KeyVault): Promise<Asked> {
  if (!isRelayOn()) return 'off'
  try {
    if (!(await hasRelay())) return 'no-relay'
    // The search index knows the commands, so that no stored token has to be read. Without it, all are.
    const reporters = await tokenClient()
      .ask({ ask: 'givenTo', commands: REPORTING_COMMANDS })
      .catch(() => undefined)
    const options = reporters && { reporters }
    const { gates, isComplete } = await fetchUses(vault, ownRelay(), options)
    if (gates === 0) return 'no-gates'
    return isComplete ? 'asked' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}
