import { type ClipboardEvent, useState } from 'react'
import { tooLong } from '../../text/too-long.ts'

interface PasteGuard {
  /** What was turned away, in words. */
  refused: string | undefined
  onPaste: (event: ClipboardEvent) => void
  /** Whether a new value may be taken; one that may not leaves what stood in the field. */
  admits: (value: string) => boolean
}

/**
 * Keeps megabytes out of a field, where laying them out would freeze the page: before they get in where they are
 * pasted, at once where they come another way.
 */
export function usePasteGuard(): PasteGuard {
  const [refused, setRefused] = useState<string>()
  const admits = (value: string) => {
    const problem = tooLong(value)
    setRefused(problem)
    return problem === undefined
  }
  const onPaste = (event: ClipboardEvent) => {
    if (!admits(event.clipboardData.getData('text/plain'))) event.preventDefault()
  }
  return { refused, onPaste, admits }
}
