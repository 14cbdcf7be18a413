// One script for all of it: people read the request before they need this.
export { ChangeRequest } from './change-request.tsx'
export { SigningKey } from './signing-key.tsx'
