import { Trans, useLingui } from '@lingui/react/macro'
import { Upload } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, useId, useRef, useState } from 'react'
import { Button } from '../buttons/button.tsx'
import { cx } from '../cx.ts'

interface DropZoneProps {
  /** What to drop: "Drop a backup file here". */
  label: string
  accept?: string
  /** The name of what was taken, once something was. */
  chosen?: string | undefined
  onFile: (file: File) => void
}

/** A place to drop a file or to paste one, and a button that chooses one: the keyboard's way. */
export function DropZone({ label, accept, chosen, onFile }: DropZoneProps) {
  const { t } = useLingui()
  const [over, setOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()

  const take = (files: FileList | null) => {
    const [file] = files ?? []
    setProblem(file ? undefined : t`There was no file in it. Choose one instead.`)
    if (file) onFile(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    take(event.clipboardData.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's way; the button inside does the same
    <div
      onDragOver={(event) => {
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={paste}
      className={cx(
        'flex flex-wrap items-center justify-between gap-3 rounded-control border border-dashed px-4 py-4',
        over ? 'border-ink bg-sunken' : 'border-line-strong',
      )}
    >
      <p className="min-w-0 wrap-anywhere text-ink-soft text-sm" id={id}>
        {over ? t`Drop the file here` : (chosen ?? label)}
      </p>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          if (event.target.files?.length) take(event.target.files)
          // So that the same file can be chosen again.
          event.target.value = ''
        }}
      />
      <Button
        size="small"
        icon={<Upload className="size-4" aria-hidden />}
        onClick={() => input.current?.click()}
        aria-describedby={id}
      >
        {chosen ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
      </Button>
      <p role="status" className={problem ? 'basis-full text-bad text-sm' : 'sr-only'}>
        {problem}
      </p>
    </div>
  )
}
