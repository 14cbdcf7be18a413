import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

interface CopyButtonProps {
  text: string
  /** What is copied, as it is said aloud: "the address". */
  what: string
  /** The words on the button; only an icon when left out. */
  label?: string
}

type Outcome = 'idle' | 'copied' | 'refused'

/** Copies a text and says whether it worked. */
export function CopyButton({ text, what, label }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('idle')

  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), 2000)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    )
  }
  const said = outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Select it and copy by hand' : label
  return (
    <>
      <Button
        tone={label ? 'quiet' : 'bare'}
        size="small"
        onClick={copy}
        aria-label={outcome === 'idle' ? `Copy ${what}` : `${said}: ${what}`}
        className={label ? undefined : 'shrink-0 px-2'}
        icon={
          outcome === 'copied' ? (
            <Check className="size-4" aria-hidden />
          ) : (
            <Copy className="size-4" aria-hidden />
          )
        }
      >
        {label || outcome === 'refused' ? said : null}
      </Button>
      <span role="status" className="sr-only">
        {outcome === 'idle' ? '' : said}
      </span>
    </>
  )
}
