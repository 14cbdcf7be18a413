import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { setDraft } from '../common/drafts.ts'
import { CHECK_DRAFT } from '../inspect/draft.ts'
import type { Target } from './haystack.ts'

/** Goes to where a thing that was found is shown. */
export function useOpenTarget(): (target: Target) => void {
  const navigate = useNavigate()
  return useCallback(
    (target) => {
      switch (target.page) {
        case 'token':
          navigate({ to: '/identity', search: { tab: target.tab, token: target.cid } })
          break
        case 'check':
          setDraft(CHECK_DRAFT, target.token)
          navigate({ to: '/identity', search: { tab: 'check' } })
          break
        case 'keys':
          navigate({ to: '/identity', search: { tab: 'keys' } })
          break
        case 'accounts':
          navigate({ to: '/register', search: { tab: 'accounts' } })
          break
      }
    },
    [navigate],
  )
}
