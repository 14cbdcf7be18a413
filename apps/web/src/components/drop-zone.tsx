import { Upload } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

interface DropZoneProps {
  /** What to drop: "Drop a backup file here". */
  label: string
  accept?: string
  /** The name of what was taken, once something was. */
  chosen?: string | undefined
  onFile: (file: File) => void
}

/** A place to drop a file, and a button that chooses one: the keyboard's way. */
export function DropZone({ label, accept, chosen, onFile }: DropZoneProps) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's way; the button inside does the same
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'flex flex-wrap items-center justify-between gap-3 rounded-control border border-dashed px-4 py-4',
        over ? 'border-brass bg-brass-soft' : 'border-line-strong bg-raised',
      )}
    >
      <p className="min-w-0 wrap-anywhere text-ink-soft text-sm" id={id}>
        {chosen ?? label}
      </p>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) onFile(file)
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
        {chosen ? 'Choose another file' : 'Choose a file'}
      </Button>
    </div>
  )
}
