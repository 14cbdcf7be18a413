import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect } from 'react'
import { whenIdle } from '../../shared/browser/when-idle.ts'
import { useReadAgain } from '../../shared/vault/vault-query.ts'

/** The relay is asked at most this often, in milliseconds. */
const OFTEN = 3_600_000

/** When an account's relay was asked by this page. An account without gates stores no time. */
const askedHere = new Map<string, number>()

/**
 * While the vault is unlocked, asks the relay once an hour how grants were used: an owner who opens no grant gets the reports too, before
 * the relay drops them. After each unlock, it asks whether links that were handed over have been opened.
 */
export default function UseReports() {
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const readAgain = useReadAgain('uses')
  useEffect(() => {
    if (address === undefined) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async () => {
      await whenIdle()
      if (isOver) return
      // Loaded only here, because other parts of this script are needed sooner.
      const [{ readUses }, { askForUses }, { askForOpened }] = await Promise.all([
        import('@keyhole/vault/uses'),
        import('../../shared/relay/ask-for-uses.ts'),
        import('../../shared/relay/ask-for-opened.ts'),
      ])
      if (isOver) return
      if (!navigator.onLine) {
        window.addEventListener('online', run, { once: true })
        return
      }
      await askForOpened(vault)
      if (isOver) return
      const stored = await readUses(vault).then(
        ({ askedAt }) => askedAt,
        () => undefined,
      )
      if (isOver) return
      const now = Date.now()
      const left = Math.max(...[stored, askedHere.get(address)].map((asked) => leftAfter(asked, now)))
      timer = setTimeout(run, left > 0 ? left : OFTEN)
      if (left > 0) return
      askedHere.set(address, now)
      await askForUses(vault)
      if (!isOver) readAgain()
    }
    void run()
    return () => {
      isOver = true
      clearTimeout(timer)
      window.removeEventListener('online', run)
    }
  }, [vault, address, readAgain])
  return null
}

/** How long until the relay may be asked again, in milliseconds. A time ahead of the clock is from another clock, and counts for nothing. */
function leftAfter(asked: number | undefined, now: number): number {
  return asked === undefined || asked > now ? 0 : Math.max(asked + OFTEN - now, 0)
}
