import { Trans, useLingui } from '@lingui/react/macro'
import { FileText, Folder, Image, Lock, LockOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../../../shared/ui/cx.ts'
import { FILES, type File, type Folder as Granted, isOpen } from './story.ts'

const ROW =
  'flex min-h-11 w-full items-center gap-2.5 rounded-inner border border-transparent px-2.5 text-left text-sm'

/** A folder that files are in, and the name after it. */
function split(file: File): readonly [folder: string, name: string] {
  const at = file.lastIndexOf('/') + 1
  return [file.slice(0, at), file.slice(at)]
}

interface FilesProps {
  /** What the agent may read; null for nothing, undefined before that is in question. */
  open?: Granted | null | undefined
  /** Called with the file that the agent is to try. Without it, they are only shown. */
  onTry?: ((file: File) => void) | undefined
}

/** The files of the scene, those that are open lit. */
export function Files({ open, onTry }: FilesProps) {
  const { t } = useLingui()
  return (
    <ul aria-label={t`Your files`} className="flex flex-col gap-1">
      {FILES.map((file) => {
        const [folder, name] = split(file)
        const isLit = open !== undefined && open !== null && isOpen(open, file)
        const look = cx(
          ROW,
          'transition-[color,background-color,opacity] duration-(--turn)',
          isLit && 'bg-brass-soft text-ink',
          open !== undefined && !isLit && 'text-ink-faint',
        )
        const inside: ReactNode = (
          <>
            {name.endsWith('.jpg') ? (
              <Image className="size-4 shrink-0" aria-hidden />
            ) : (
              <FileText className="size-4 shrink-0" aria-hidden />
            )}
            <span className="min-w-0 flex-1 truncate">
              <span className="text-ink-faint">{folder}</span>
              {name}
            </span>
            {open === undefined ? null : isLit ? (
              <>
                <LockOpen className="size-4 shrink-0 text-brass" aria-hidden />
                <span className="sr-only">
                  <Trans>open to the agent</Trans>
                </span>
              </>
            ) : (
              <>
                <Lock className="size-4 shrink-0" aria-hidden />
                <span className="sr-only">
                  <Trans>closed</Trans>
                </span>
              </>
            )}
          </>
        )
        return (
          <li key={file}>
            {onTry ? (
              <button
                type="button"
                onClick={() => onTry(file)}
                className={cx(look, 'hover:border-line-strong')}
              >
                {inside}
              </button>
            ) : (
              <span className={look}>{inside}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** What stands over the files. */
export function FilesTitle() {
  return (
    <p className="mb-2 flex items-center gap-2 font-medium text-ink-soft text-sm">
      <Folder className="size-4" aria-hidden />
      <Trans>Your files</Trans>
    </p>
  )
}
