import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { setDraft } from '../hooks/drafts.ts'
import { tokenClient } from '../search-index/token-client.ts'
import type { Target } from '../search-index/token-messages.ts'
import { CHECK_DRAFT } from '../tokens/check-draft.ts'

/** Opens the place where a result is shown. */
export function useOpenTarget(): (target: Target) => void {
  const navigate = useNavigate()
  return useCallback(
    (target) => {
      switch (target.page) {
        case 'token':
          navigate({ to: '/identity', search: { tab: target.tab, token: target.cid } })
          break
        case 'mandate':
          navigate({ to: '/payment', search: { tab: 'mandates', mandate: target.cid } })
          break
        case 'payment':
          navigate({ to: '/payment', search: { tab: 'history', payment: target.cid } })
          break
        case 'check':
          setDraft(CHECK_DRAFT, target.token)
          navigate({ to: '/identity', search: { tab: 'check' } })
          break
        case 'signed':
          // Read its text now: lists don't include it.
          tokenClient()
            .ask({ ask: 'token', cid: target.cid })
            .then(
              ({ token }) => {
                if (token) setDraft(CHECK_DRAFT, token.token)
                navigate({ to: '/identity', search: { tab: 'check' } })
              },
              () => undefined,
            )
          break
        case 'sessions':
        case 'activity':
          navigate({ to: '/identity', search: { tab: target.page } })
          break
        case 'contact':
          navigate({ to: '/identity', search: { tab: 'contacts', contact: target.id } })
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
