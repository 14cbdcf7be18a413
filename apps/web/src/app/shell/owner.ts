import { CANARY_KEY } from '@keyhole/vault/storage-names'

/**
 * Runs in a page that came drawn for someone without a vault, before anything is painted. It marks the document if this browser remembers
 * a vault, or if the address asks for something else than what was drawn, and the style sheet then shows the frame alone. Like
 * `isVaultKnown()`, it checks whether the list is empty (`[]`). It is inline because fetching it would delay the first paint of every new
 * visitor.
 */
export const OWNER_SCRIPT = `try{(location.pathname[1]&&location.search||localStorage["${CANARY_KEY}"][2])&&(document.documentElement.dataset.owner="")}catch{}`

/** Removes the mark once React has drawn the page. */
export function unmarkOwner(): void {
  delete document.documentElement.dataset.owner
}
