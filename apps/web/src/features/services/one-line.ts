/** A stranger's text as one line: a description's line breaks say nothing, and would be shown as what they are. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
