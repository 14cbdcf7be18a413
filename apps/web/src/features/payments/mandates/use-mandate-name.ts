import type { Mandate } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { type ListedToken, useToken } from '../../../shared/tokens/use-tokens.ts'

/** What a mandate is called, and its delegation, where that is still stored. */
export function useMandateName({ cid, own }: Mandate): { name: string; token: ListedToken | undefined } {
  const { t } = useLingui()
  const { token } = useToken(cid)
  return { name: token?.label ?? (own ? t`This vault, automatically` : t`A mandate without a name`), token }
}
