import { t } from '@lingui/core/macro'
import { takeEarlyDrop } from './early-press.ts'
import { hasFiles, isForField } from './refuse-drops.ts'

/**
 * Takes a backup file that is dropped anywhere to the form that restores it. Nothing that is dropped takes the place of the page.
 *
 * @param openForm goes to that form
 */
export function catchDrops(openForm: () => void): void {
  const words = document.createElement('p')
  words.className =
    'fixed inset-x-0 bottom-0 z-50 mx-auto bg-ink px-4 py-3 text-center font-semibold text-ink-inverse'
  const end = () => words.remove()
  const open = (files: readonly File[]) =>
    void import('../../shared/backup-file/dropped.ts').then(({ openDropped }) => openDropped(files, openForm))
  // When a page is replaced under what is held over it, as by React's first one, this comes alone before the drop.
  addEventListener('dragenter', (event) => {
    if (!isForField(event)) event.preventDefault()
  })
  addEventListener('dragover', (event) => {
    // A place of its own for files has it already.
    if (event.defaultPrevented || isForField(event)) return end()
    event.preventDefault()
    if (words.isConnected || !hasFiles(event.dataTransfer)) return
    words.textContent = t`Drop a backup file to restore it`
    document.body.append(words)
  })
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) end()
  })
  addEventListener('drop', (event) => {
    end()
    if (event.defaultPrevented || isForField(event)) return
    event.preventDefault()
    // A window that a site has called up shows one page alone.
    if (new URLSearchParams(location.search).get('request') === '1') return
    open([...(event.dataTransfer?.files ?? [])])
  })
  const early = takeEarlyDrop()
  if (early.length > 0) open(early)
}
