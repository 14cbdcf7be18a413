import { Trans, useLingui } from '@lingui/react/macro'
import { Bot } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../../../shared/ui/cx.ts'
import { Files, FilesTitle } from './files.tsx'
import { BEATS, type Beat, type File, type Folder } from './story.ts'

interface StageProps {
  beat: Beat
  open?: Folder | null | undefined
  onTry?: ((file: File) => void) | undefined
  children: ReactNode
}

/** The scene: how far it is, the files, and what is said about them. */
export function Stage({ beat, open, onTry, children }: StageProps) {
  const { t } = useLingui()
  const names: Record<Beat, string> = {
    ask: t`It asks`,
    narrow: t`You narrow it`,
    try: t`It tries`,
    revoke: t`You revoke it`,
  }
  return (
    <section
      id="scene"
      aria-label={t`How it works, to try here`}
      className="scroll-mt-6 overflow-hidden rounded-card border border-line bg-surface text-ink shadow-pop"
    >
      <ol className="grid grid-cols-4 border-line border-b text-sm">
        {BEATS.map((each, index) => (
          <li
            key={each}
            aria-current={each === beat ? 'step' : undefined}
            className={cx(
              'flex items-center gap-2 px-3 py-3 max-sm:flex-col max-sm:items-start max-sm:gap-0 max-sm:px-2.5 max-sm:text-xs sm:px-5',
              each === beat
                ? 'font-semibold text-ink shadow-[inset_0_-2px_0_var(--ink)] forced-colors:underline'
                : 'text-ink-faint',
            )}
          >
            <span aria-hidden="true">{index + 1}</span>
            {names[each]}
          </li>
        ))}
      </ol>
      <div className="grid md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div className="border-line p-4 max-md:order-last max-md:border-t sm:p-5 md:border-r">
          <FilesTitle />
          <Files open={open} onTry={onTry} />
        </div>
        <div className="flex flex-col items-start gap-4 p-4 sm:p-5 md:min-h-[23rem]">{children}</div>
      </div>
    </section>
  )
}

/** What the agent says. */
export function AgentSays({ children }: { children: ReactNode }) {
  return (
    <div className="flex max-w-prose items-start gap-3">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-ink-soft">
        <Bot className="size-5" aria-hidden />
      </span>
      <div className="min-w-0">
        <p className="font-semibold text-sm">
          <Trans>Trip planner</Trans>
        </p>
        <p>{children}</p>
      </div>
    </div>
  )
}
