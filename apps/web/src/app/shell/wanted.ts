import { hasTracesOfVault, isVaultKnown } from '../../shared/browser/known-vault.ts'
import { whenSomeoneIsThere } from '../../shared/browser/someone-there.ts'

/** For how long the landing is left to be read, in milliseconds. */
const READING = 4_000

/** Whether the page is read before anything is done on it: the landing, without a vault that would have to be opened. */
export const isLanding = () => location.pathname === '/' && !isVaultKnown()

/** Calls `act`, once, when somebody does something on the landing, or something of a vault is found after all. @returns the unsubscribe */
export function whenTakenUp(act: () => void): () => void {
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
 * Resolves once the client is wanted. On most pages that is at once. The landing says what it has to say without it: there it is when
 * the page is taken up, or has stood for {@link READING}. Its links lead where they say meanwhile.
 */
export function whenWanted(): Promise<void> {
  if (!isLanding()) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, READING)
    const forget = whenTakenUp(done)
    function done() {
      clearTimeout(timer)
      forget()
      resolve()
    }
  })
}
