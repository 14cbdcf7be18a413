// One script for both: see pages/identity/parts.ts.
export { RenewDialog } from './renew-dialog.tsx'
export { RevokeDialog } from './revoke-dialog.tsx'
