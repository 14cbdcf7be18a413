import { useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect } from 'react'
import { useLanguage } from '../../shared/language/use-language.ts'
import { isOpening } from '../../shared/vault/is-opening.ts'

/** Where the service worker reads it. It has no localStorage. */
const NOTE = { cache: 'keyhole-shell', path: '/shell' } as const

async function note(text: string): Promise<void> {
  try {
    const cache = await caches.open(NOTE.cache)
    await cache.put(NOTE.path, new Response(text))
  } catch {
    // Without a cache there is no service worker either, and the server chooses the page.
  }
}

/** Tells the service worker how the next page starts: in which language, and whether with the landing page. Renders nothing. */
export function RememberShell() {
  const { phase, lost, accounts } = useVaultSnapshot()
  const language = useLanguage()
  const begin = phase === 'empty' && lost.length === 0 && accounts.length === 0 ? 'landing' : 'frame'
  useEffect(() => {
    if (!isOpening(phase)) void note(`${language} ${begin}`)
  }, [phase, language, begin])
  return null
}
