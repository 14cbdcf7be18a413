import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { grantTo } from '../../shared/grant-form/draft.ts'
import { setDraft } from '../../shared/hooks/drafts.ts'
import { requestForm } from '../../shared/hooks/requested-forms.ts'
import { CHECK_DRAFT } from '../../shared/tokens/check-draft.ts'
import { isOpened, recognise } from '../../shared/words/recognise.ts'

/** Goes to where one does something with a text, by what it is: checks a token, opens a request, grants to a DID, and searches for the rest. */
export function useText(): (text: string) => void {
  const navigate = useNavigate()
  return useCallback(
    (text) => {
      const recognised = recognise(text)
      const { kind, value } = recognised
      if (isOpened(recognised)) {
        setDraft(CHECK_DRAFT, value)
        void navigate({ to: '/identity', search: { tab: 'check' } })
      } else if (kind === 'did') {
        grantTo(value)
        void navigate({ to: '/identity', search: { tab: 'grants' } })
        requestForm('grant')
      } else void navigate({ to: '/search', search: { q: value } })
    },
    [navigate],
  )
}
