import type { InspectedToken, StoredToken } from '@keyhole/vault'
import { rootFirst } from '../../shared/tokens/report.ts'
import { covers } from '../../shared/words/command.ts'

/** What of a vault's tokens is needed to find out. */
interface Reader {
  list(): Promise<StoredToken[]>
  inspect(text: string): Promise<{ readonly tokens: readonly InspectedToken[] }>
}

/** Whether a stored token may have grown out of another one; only those are opened. */
export function mayContinue(parent: StoredToken, token: StoredToken): boolean {
  if (token.cid === parent.cid || (token.type !== 'attenuated' && token.type !== 'received')) return false
  if (parent.subject !== null && token.subject !== null && parent.subject !== token.subject) return false
  return covers(parent.command, token.command)
}

/**
 * Whom a revocation cuts off, as far as this vault can know: to whom it was granted, and everyone whose chain, stored
 * here, runs through it. In the order in which they were found, each once.
 *
 * @param onProgress told how many of how many tokens have been looked at
 */
export async function affectedBy(
  parent: StoredToken,
  tokens: Reader,
  signal: AbortSignal,
  onProgress: (done: number, of: number) => void,
): Promise<string[]> {
  const found = new Set([parent.audienceDid])
  const candidates = (await tokens.list()).filter((token) => mayContinue(parent, token))
  for (const [index, { token }] of candidates.entries()) {
    signal.throwIfAborted()
    const chain = rootFirst((await tokens.inspect(token)).tokens)
    const at = chain.findIndex(({ cid }) => cid === parent.cid)
    for (const { payload } of at < 0 ? [] : chain.slice(at)) {
      if (typeof payload.aud === 'string') found.add(payload.aud)
    }
    onProgress(index + 1, candidates.length)
  }
  return [...found]
}
