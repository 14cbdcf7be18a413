/** People don't type longer addresses. */
const LONGEST = 200

/** What an address asked for, as search words: its segments as text, without a file extension. */
export function askedFor(pathname: string): string {
  return pathname
    .split('/')
    .map(decoded)
    .join(' ')
    .replace(/\.(?:html?|php|aspx?)$/i, '')
    .replace(/[\s_+]+/g, ' ')
    .trim()
    .slice(0, LONGEST)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A literal percent sign.
    return segment
  }
}
