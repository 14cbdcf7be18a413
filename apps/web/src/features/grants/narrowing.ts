/** The name that the form which narrows a token is called by. */
export function narrowing(cid: string): string {
  return `narrow:${cid}`
}
