/** Downloads a text as a file. */
export function download(filename: string, text: string, type = 'application/json'): void {
  downloadFile(filename, new Blob([text], { type }))
}

/** Downloads a file. */
export function downloadFile(filename: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // Some browsers read the URL after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
