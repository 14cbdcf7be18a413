import { isDrawn } from '../../shared/browser/drawn.ts'
import { hasTracesOfVault, isVaultKnown } from '../../shared/browser/known-vault.ts'
import { whenSomeoneIsThere } from '../../shared/browser/someone-there.ts'

/** How long to leave a page alone that can be read, in milliseconds. */
const READING = 4_000

/** Whether the page is the landing page, with no vault to open: people read it before they do anything. */
export const isLanding = () => location.pathname === '/' && !isVaultKnown()

/** Calls `act` once, when someone does something on the page or a vault turns out to exist. @returns the unsubscribe function */
export function onFirstUse(act: () => void): () => void {
  let isOver = false
  const end = () => {
    isOver = true
    forget()
  }
  const once = () => {
    if (isOver) return
    end()
    act()
  }
  const forget = whenSomeoneIsThere(once)
  hasTracesOfVault().then((found) => {
    if (found) once()
  })
  return end
}

/**
 * Resolves once the client is needed: at once, unless the page came drawn. That one can be read without it, so it waits until someone does
 * something, or for {@link READING}. Its links work in the meantime.
 */
export function whenWanted(): Promise<void> {
  if (!isDrawn()) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, READING)
    const forget = onFirstUse(done)
    function done() {
      clearTimeout(timer)
      forget()
      resolve()
    }
  })
}
