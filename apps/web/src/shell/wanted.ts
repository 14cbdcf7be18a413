import { whenSomeoneIsThere } from '../lib/someone-there.ts'
import { hasTracesOfVault, isVaultKnown } from './known-vault.ts'

/** For how long the landing is left to be read, in milliseconds. */
const READING = 4_000

/**
 * Resolves once the client is wanted. On most pages that is at once. The landing, where no vault is known, says what it has to say
 * without it: there it is when somebody does something, or something of a vault is found after all, or the page has stood for
 * {@link READING}. Its links lead where they say meanwhile.
 */
export function whenWanted(): Promise<void> {
  if (location.pathname !== '/' || isVaultKnown()) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, READING)
    const forget = whenSomeoneIsThere(done)
    function done() {
      clearTimeout(timer)
      forget()
      resolve()
    }
    hasTracesOfVault().then((found) => {
      if (found) done()
    })
  })
}
