import { isVaultKnown } from './known-vault.ts'

// Without a document, the page is being drawn (app/entries/static-page.tsx).
const drawn =
  typeof document === 'undefined' ||
  ('forNew' in document.documentElement.dataset &&
    !('owner' in document.documentElement.dataset) &&
    !isVaultKnown())

/** Whether the page came drawn for someone without a vault, and this browser knew of none when it came. */
export function isDrawn(): boolean {
  return drawn
}
