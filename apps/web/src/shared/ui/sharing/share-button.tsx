import { Trans, useLingui } from '@lingui/react/macro'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../buttons/button.tsx'

interface ShareButtonProps {
  title: string
  text?: string
  /** Instead of a text, or with it. */
  url?: string
  /** Called once it is shared. */
  onTaken?: () => void
}

function canShare(data: ShareData): boolean {
  const { navigator } = globalThis
  return typeof navigator?.share === 'function' && (navigator.canShare?.(data) ?? true)
}

/** Hands a text to the machine's own share sheet. Nothing where the browser has none. */
export function ShareButton({ onTaken, ...data }: ShareButtonProps) {
  const { t } = useLingui()
  const [refused, setRefused] = useState(false)
  if (!canShare({ ...data })) return null
  const share = () => {
    setRefused(false)
    navigator.share({ ...data }).then(
      () => onTaken?.(),
      (error: unknown) => {
        // Closing the sheet is a choice, not a failure.
        if (!(error instanceof DOMException && error.name === 'AbortError')) setRefused(true)
      },
    )
  }
  return (
    <>
      <Button size="small" onClick={share} icon={<Share2 className="size-4" aria-hidden />}>
        <Trans>Share</Trans>
      </Button>
      <span role="status" className={refused ? 'text-bad text-sm' : 'sr-only'}>
        {refused ? t`Sharing was refused. Copy it instead.` : ''}
      </span>
    </>
  )
}
