/** In every message between the two documents. docs/connect.md describes them, and `@keyhole/connect` is the other side. */
export const PROTOCOL = 'keyhole-connect-1'
