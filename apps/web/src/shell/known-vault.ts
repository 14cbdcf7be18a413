/**
 * Whether a vault was made in this browser, as far as localStorage remembers (the canary of `@keyhole/vault`). Only for what is
 * shown while the vault opens: what is there is said by the vault itself.
 */
export function isVaultKnown(): boolean {
  try {
    const accounts: unknown = JSON.parse(localStorage.getItem('keyhole:accounts') ?? '[]')
    return Array.isArray(accounts) && accounts.length > 0
  } catch {
    return false
  }
}
