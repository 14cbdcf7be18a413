/** Whether this is a UCAN command: `/`, or lower-case segments, each after a slash. */
export function isCommand(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\/(?:$|[^/]+(?:\/[^/]+)*$)/.test(text)) return false
  for (const letter of text) if (letter.toLowerCase() !== letter) return false
  return true
}
