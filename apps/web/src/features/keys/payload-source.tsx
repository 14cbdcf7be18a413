import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { useTextDraft } from '../../shared/hooks/drafts.ts'
import { LONGEST_TEXT, sizeWords } from '../../shared/text/too-long.ts'
import { DropZone } from '../../shared/ui/fields/drop-zone.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'

/** What is signed or verified: a text, or the bytes of a file. */
export interface Source {
  text: string
  file: { name: string; bytes: Uint8Array<ArrayBuffer> } | undefined
}

/** The bytes of a source: a text as UTF-8, a file as it is. */
export function sourceBytes(source: Source): Uint8Array<ArrayBuffer> {
  return source.file?.bytes ?? new TextEncoder().encode(source.text)
}

/** What to call a source: "this text" or the file's name. */
export function sourceName(source: Source): string {
  if (!source.file) return t`this text`
  const { name } = source.file
  return t`“${name}”`
}

/** State for a form's source. Its text survives leaving the form. */
export function useSource(name: string): [Source, (source: Source) => void] {
  const [text, setText] = useTextDraft(name)
  const [file, setFile] = useState<Source['file']>()
  return [
    { text, file },
    (source) => {
      setText(source.text)
      setFile(source.file)
    },
  ]
}

interface SourceFieldProps {
  label: string
  source: Source
  onSourceChange: (source: Source) => void
  error?: string | undefined
}

/** Type a text, or drop a file instead. */
export function SourceField({ label, source, onSourceChange, error }: SourceFieldProps) {
  const { t } = useLingui()
  const [problem, setProblem] = useState<string>()
  const turn = useRef(0)
  const take = (file: File) => {
    turn.current += 1
    const mine = turn.current
    const { name } = file
    if (file.size > LONGEST_TEXT) {
      const [size, most] = [sizeWords(file.size), sizeWords(LONGEST_TEXT)]
      setProblem(t`“${name}” has ${size}; files up to ${most} are signed here.`)
      return
    }
    file.arrayBuffer().then(
      (buffer) => {
        // A larger file chosen earlier may finish later, or the person may have typed a text in the meantime.
        if (mine !== turn.current) return
        setProblem(undefined)
        onSourceChange({ ...source, file: { name: file.name, bytes: new Uint8Array(buffer) } })
      },
      () => setProblem(t`“${name}” could not be read.`),
    )
  }
  return (
    <>
      <TextArea
        label={label}
        rows={4}
        value={source.text}
        onValueChange={(text) => {
          turn.current += 1
          setProblem(undefined)
          onSourceChange({ text, file: undefined })
        }}
        error={problem ?? error}
      />
      <DropZone
        label={t`… or drop a file here`}
        chosen={source.file ? `${source.file.name}, ${sizeWords(source.file.bytes.length)}` : undefined}
        onFile={take}
      />
    </>
  )
}
