import { clientVault } from '../../lib/vault.ts'
import { haystack, type Straw, find as scan, type Target } from './haystack.ts'

/** Something that the vault holds. */
export interface Found {
  /** Unlike every other's. */
  id: string
  kind: Straw['kind']
  title: string
  /** What it is beyond its name, where there is more to say. */
  detail?: string
  /** Where it leads: `useOpenTarget` goes there. */
  target: Target
}

/**
 * What the vault holds that fits a text, the likeliest first; nothing where no vault is open. Labels are searched while
 * the vault is unlocked.
 *
 * @param text words, all of which must be found, and filters as the search page takes them
 * @param limit at most this many
 */
export async function find(text: string, limit: number): Promise<Found[]> {
  const vault = clientVault()
  const { phase, keys, accounts, issuerDid } = vault.getSnapshot()
  if (phase !== 'unlocked' && phase !== 'locked') return []
  const own = new Set([...keys.map(({ did }) => did), ...(issuerDid === undefined ? [] : [issuerDid])])
  const tokens = await vault.tokens()
  const hay = haystack({ tokens, keys, accounts }, { own }, Date.now())
  return scan(hay, text, 'all', 'any')
    .slice(0, limit)
    .map(({ id, kind, title, fields: [detail], target }) => ({
      ...{ id, kind, title, target },
      ...(detail !== undefined && { detail }),
    }))
}
