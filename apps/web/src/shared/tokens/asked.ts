import type { KeyVault, StoredToken } from '@keyhole/vault'
import { type Asked, readAsked } from '../search-index/read-asked.ts'
import { tokenClient } from '../search-index/token-client.ts'
import { useVaultCheck } from '../vault/use-vault-check.ts'

/** A signed token; with its text, if that is known. */
type Signed = Pick<StoredToken, 'cid' | 'type'> & Partial<Pick<StoredToken, 'token'>>

/** What a signed request asks for. Undefined for anything that isn't a request. */
export async function readSigned(vault: KeyVault, signed: Signed): Promise<Asked | undefined> {
  if (signed.type !== 'invocation') return undefined
  const text = signed.token ?? (await tokenClient().ask({ ask: 'token', cid: signed.cid })).token?.token
  if (text === undefined) return undefined
  return await readAsked(vault, text)
}

/** The same for something on screen. Undefined until it is read. */
export function useAsked(signed: Signed | undefined): Asked | undefined {
  const isOne = signed?.type === 'invocation'
  const { found } = useVaultCheck(isOne ? ['asked', signed.cid] : undefined, async (vault) =>
    // A query has no answer that is undefined.
    signed === undefined ? null : ((await readSigned(vault, signed)) ?? null),
  )
  return found ?? undefined
}
