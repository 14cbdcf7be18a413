import { useVaultSnapshot } from '@keyhole/vault-react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { type Found, find } from '../../shared/search/find.ts'
import { useFoundPayments } from '../../shared/search/payments.ts'
import { vaultKey } from '../../shared/vault/vault-query.ts'

/** How many are shown: who wants more goes to the search page. */
const MOST = 8

interface FoundInVault {
  /** Whether what is there belongs to an older query. */
  readonly pending: boolean
  readonly found: readonly Found[]
}

const NOTHING: readonly Found[] = []

/** What the vault holds that fits a query; what fitted the last one stands until the answer is there. */
export function useFound(query: string): FoundInVault {
  const key = vaultKey('found', useVaultSnapshot())
  const payments = useFoundPayments(query !== '')
  const { data, isPending, isPlaceholderData } = useQuery({
    // Payments are read when the first letter is typed, and looked for once they are there.
    queryKey: [...key, query, payments?.length],
    queryFn: query === '' ? skipToken : ({ client }) => find(client, query, MOST, payments),
    // What was found in an open vault is not shown of a locked one, nor of another.
    placeholderData: (found, before) =>
      key.every((part, at) => before?.queryKey[at] === part) ? found : undefined,
    // What cannot be read is said by the pages that list it; here there is then nothing to choose.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (query === '') return { pending: false, found: NOTHING }
  return { pending: isPending || isPlaceholderData, found: data ?? NOTHING }
}
