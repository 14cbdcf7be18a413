import { useVaultEvent } from '@keyhole/vault-react'
import { type Dispatch, type SetStateAction, useState } from 'react'
import type { Made } from './create-form.tsx'

/** The account that was just made here. A recovery code that was not given back is not left on a screen that nobody is at. */
export function useMade(): [Made | undefined, Dispatch<SetStateAction<Made | undefined>>] {
  const [made, setMade] = useState<Made>()
  useVaultEvent('vault:locked', ({ address }) => {
    if (made?.recoveryCode !== undefined && made.address === address) {
      setMade({ address: made.address, hidden: true })
    }
  })
  return [made, setMade]
}
