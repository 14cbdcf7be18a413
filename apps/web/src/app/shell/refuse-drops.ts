/** Whether it is text that is moved into a field. */
export function isForField({ target, dataTransfer }: DragEvent): boolean {
  return !hasFiles(dataTransfer) && target instanceof Element && target.closest('input, textarea') !== null
}

/** Whether files are dragged. */
export function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true
}

/** Keeps the browser from opening what is dropped on a page that takes no files, in place of the page. */
export function refuseDrops(): void {
  addEventListener('dragover', (event) => {
    if (event.defaultPrevented || isForField(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  })
  addEventListener('drop', (event) => {
    if (!event.defaultPrevented && !isForField(event)) event.preventDefault()
  })
}
