import { Trans, useLingui } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { clearClipboard, copy, deposited, useDeposit } from '../../browser/clipboard.ts'
import { useCountdown } from '../../hooks/use-countdown.ts'
import { Button } from './button.tsx'
import { TextButton } from './text-button.tsx'

interface CopyButtonProps {
  text: string
  /** What is copied, as it is said aloud: "the address". */
  what: string
  /** The words on the button; only an icon when left out. */
  label?: string
  /** How it looks. Default: quiet with words, bare without. */
  tone?: 'primary' | 'quiet' | 'bare' | undefined
  /** For a secret: seconds after which it is taken out of the clipboard again. */
  clearAfter?: number
  /** Called once it is copied. */
  onTaken?: () => void
}

type Outcome = 'idle' | 'copied' | 'refused'

/** Copies a text and says whether it worked. A secret is cleared from the clipboard after a while, which is said as well. */
export function CopyButton({
  text,
  what,
  label,
  tone = label ? 'quiet' : 'bare',
  clearAfter,
  onTaken,
}: CopyButtonProps) {
  const { t } = useLingui()
  const owner = useId()
  const [outcome, setOutcome] = useState<Outcome>('idle')

  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), 2000)
    return () => clearTimeout(timer)
  }, [outcome])

  const press = () => {
    const done = clearAfter === undefined ? copy(text) : deposited(text, clearAfter, owner)
    done.then(
      () => {
        setOutcome('copied')
        onTaken?.()
      },
      () => setOutcome('refused'),
    )
  }
  const said =
    outcome === 'copied' ? t`Copied` : outcome === 'refused' ? t`Select it and copy by hand` : label
  const icon =
    outcome === 'copied' ? <Check className="size-4" aria-hidden /> : <Copy className="size-4" aria-hidden />
  return (
    <>
      <Button
        tone={tone}
        size="small"
        onClick={press}
        aria-label={outcome === 'idle' ? t`Copy ${what}` : `${said}: ${what}`}
        className={label ? undefined : 'shrink-0 px-2 pointer-coarse:min-w-11'}
        icon={icon}
      >
        {label || outcome === 'refused' ? said : null}
      </Button>
      <span role="status" className="sr-only">
        {outcome === 'idle'
          ? ''
          : outcome === 'copied' && clearAfter !== undefined
            ? t`Copied. It is cleared from the clipboard in ${clearAfter} seconds.`
            : said}
      </span>
      {clearAfter === undefined ? null : <Clearing owner={owner} />}
    </>
  )
}

/** The seconds that a secret stays in the clipboard, and the way to clear it sooner. Said aloud once, not every second. */
function Clearing({ owner }: { owner: string }) {
  const deposit = useDeposit()
  const mine = deposit?.owner === owner ? deposit : undefined
  const seconds = useCountdown(mine?.until)
  if (!mine) return null
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 text-ink-soft text-sm">
      {seconds > 0 ? (
        <Trans>Cleared from the clipboard in {seconds} s</Trans>
      ) : (
        <Trans>Cleared from the clipboard as soon as you are back on this page</Trans>
      )}
      <TextButton onClick={() => void clearClipboard()}>
        <Trans>Clear now</Trans>
      </TextButton>
    </span>
  )
}
