import { isVaultKnown } from './known-vault.ts'

const isDrawnFor = (page: Document) =>
  !isVaultKnown() && !('owner' in page.documentElement.dataset) && page.querySelector('main h1') !== null

// Looked at before the client takes over. Without a document, the page is being drawn.
const drawn = typeof document === 'undefined' || isDrawnFor(document)

/** Whether the page came drawn for someone without a vault (app/entries/static-page.tsx), and this browser knew of none. */
export function isDrawn(): boolean {
  return drawn
}
