export { type RevokeOptions, type SignedRevocation, signRevocation } from './revoking/sign-revocation.ts'
