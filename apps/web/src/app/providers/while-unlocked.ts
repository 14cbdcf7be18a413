// One script for everything that runs while the vault is unlocked. Each separate script would add a digest to every page.
export { default as ExpiryReminder } from './expiry-reminder.tsx'
export { default as LockWarning } from './lock-warning.tsx'
export { default as OpenMark } from './open-mark.tsx'
export { default as RelayWork } from './relay-work.tsx'
export { default as RevocationSender } from './revocation-sender.tsx'
