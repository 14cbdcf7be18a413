export { embeddedClaims } from './claims/embedded-claims.ts'
