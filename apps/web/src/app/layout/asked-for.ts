/** No address that anyone typed is longer. */
const LONGEST = 200

/** What an address asked for, as words to search with: its segments, read as text, without an ending. */
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
    // A percent sign that stands for itself.
    return segment
  }
}
