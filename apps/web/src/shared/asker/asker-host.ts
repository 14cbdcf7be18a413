/** The host of an origin. A sandbox or a file has no host, so it returns the whole origin. */
export function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin
}

/** Whether a host has letters that can look like others. */
export function isLookalike(host: string): boolean {
  return /(?:^|\.)xn--/.test(host)
}
