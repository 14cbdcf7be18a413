import { CANARY_KEY } from '@keyhole/vault/storage-names'

/**
 * Runs in the landing page before anything is painted. It marks the document if this browser remembers a vault, and the style sheet then
 * hides the landing. Like `isVaultKnown()`, it checks whether the list is empty (`[]`). It is inline because fetching it would delay the
 * first paint of every new visitor.
 */
export const OWNER_SCRIPT = `try{localStorage["${CANARY_KEY}"][2]&&(document.documentElement.dataset.owner="")}catch{}`

/** Removes the mark once React has drawn the page. */
export function unmarkOwner(): void {
  delete document.documentElement.dataset.owner
}
