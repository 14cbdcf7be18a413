// Commands: what a capability lets its holder do (UCAN 1.0.0, "Command").

/** Commands under `/ucan/` that have a meaning; the rest of that namespace is reserved. */
const KNOWN_RESERVED = ['/ucan/revoke', '/ucan/assert']

/** Whether a text is a command: `/`, or segments in lower case, each after a slash. */
export function isCommand(text: string): boolean {
  if (!/^\/(?:$|[^/]+(?:\/[^/]+)*$)/.test(text)) return false
  for (const letter of text) if (letter.toLowerCase() !== letter) return false
  return true
}

/** Whether a command allows another one as well: `/crypto` covers `/crypto/sign` and not `/cryptocurrency`. */
export function covers(command: string, other: string): boolean {
  return command === '/' || other === command || other.startsWith(`${command}/`)
}

/** Whether a command lies in the namespace that UCAN keeps for itself, and has no meaning there. */
export function isReserved(command: string): boolean {
  return command.startsWith('/ucan/') && !KNOWN_RESERVED.includes(command)
}
