/** The did:web of a URL's host, with its port. */
export function didWebOf(url: string): string {
  return `did:web:${encodeURIComponent(new URL(url).host)}`
}
