/** The host of an origin. One that the browser gives none to, a sandbox or a file, has no host either: all of it then. */
export function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin
}

/** Whether a host has letters that can look like others. */
export function isLookalike(host: string): boolean {
  return /(?:^|\.)xn--/.test(host)
}
