/** What a DID looks like (DID Core §3.1), whatever its method. */
export const DID_PATTERN = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/
