// Commands: what a capability lets its holder do (UCAN 1.0.0, "Command").

/** Commands under `/ucan/` that have a meaning; the rest of that namespace is reserved. */
const KNOWN_RESERVED = ['/ucan/revoke', '/ucan/assert']

/** Whether a text is a command: `/`, or lower-case segments, each after a slash. */
export function isCommand(text: string): boolean {
  if (!/^\/(?:$|[^/]+(?:\/[^/]+)*$)/.test(text)) return false
  for (const letter of text) if (letter.toLowerCase() !== letter) return false
  return true
}

/** Whether a command also allows another: `/crypto` covers `/crypto/sign` but not `/cryptocurrency`. */
export function covers(command: string, other: string): boolean {
  return command === '/' || other === command || other.startsWith(`${command}/`)
}

/** Whether a command is in UCAN's reserved namespace without having a meaning there. */
export function isReserved(command: string): boolean {
  return command.startsWith('/ucan/') && !KNOWN_RESERVED.includes(command)
}
