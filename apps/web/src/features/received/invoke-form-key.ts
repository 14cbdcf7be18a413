/** The name that the form which uses a token is called by, and its draft. */
export function invokeFormKey(cid: string): string {
  return `use:${cid}`
}
