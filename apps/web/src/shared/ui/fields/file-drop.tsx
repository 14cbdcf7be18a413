import { useLingui } from '@lingui/react/macro'
import { readTextFile } from '../../browser/read-file.ts'
import { DropZone } from './drop-zone.tsx'

interface FileDropProps {
  onText: (text: string) => void
  /** Why the file was not read. */
  onProblem: (problem: string) => void
}

/** Below a field for a token: the place to drop the token's file instead. */
export function FileDrop({ onText, onProblem }: FileDropProps) {
  const { t } = useLingui()
  return (
    <DropZone
      label={t`Or drop the file here`}
      onFile={(file) => {
        readTextFile(file).then((read) => {
          if ('problem' in read) onProblem(read.problem)
          else onText(read.text)
        })
      }}
    />
  )
}
