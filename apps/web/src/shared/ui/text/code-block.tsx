import { useLingui } from '@lingui/react/macro'
import { CopyButton } from '../buttons/copy-button.tsx'
import { cx } from '../cx.ts'

const BREAKS = {
  anywhere: 'whitespace-pre-wrap break-all',
  nowhere: 'whitespace-pre',
} as const

interface CodeBlockProps {
  /** What the text is, for its heading and for the copy button: "token", "DID document". */
  label: string
  text: string
  /** Where its lines break: anywhere, because a DID in JSON would leave its name and an empty line above it; or nowhere, for code. */
  breaks?: keyof typeof BREAKS
  /** Keeps it short, with a scroll bar of its own. */
  tall?: boolean
}

/** Text to be read by machines: set in monospace, copied whole, scrolled by keyboard. */
export function CodeBlock({ label, text, breaks = 'anywhere', tall = false }: CodeBlockProps) {
  const { t } = useLingui()
  return (
    <figure className="min-w-0 overflow-hidden rounded-control bg-sunken">
      <figcaption className="flex items-center justify-between gap-2 pt-1 pr-1 pl-3 text-ink-faint text-xs">
        <span className="font-medium">{label}</span>
        <CopyButton text={text} what={t`the ${label}`} />
      </figcaption>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className={cx(
          'kh-scroll overflow-auto px-3 pb-3 focus-visible:-outline-offset-2',
          tall ? 'max-h-[32rem]' : 'max-h-66',
        )}
      >
        <pre className={cx('text-xs leading-relaxed', BREAKS[breaks])}>{text}</pre>
      </section>
    </figure>
  )
}
