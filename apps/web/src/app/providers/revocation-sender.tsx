import { useVault, useVaultEvent, useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect, useRef } from 'react'
import { postRevocations, RECHECK } from '../../shared/relay/post-revocations.ts'
import { isRelayOn } from '../../shared/relay/relay-setting.ts'
import { setWaiting } from '../../shared/relay/waiting.ts'

/** The first pause after a failure, in milliseconds. It doubles up to the longest. */
const FIRST_PAUSE = 5_000
const LONGEST_PAUSE = 300_000

/** While the vault is unlocked, sends the relay revocations that it doesn't have yet, and retries until it has them. */
export default function RevocationSender() {
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const send = useRef(() => {})
  useEffect(() => {
    if (address === undefined) return
    let pause = FIRST_PAUSE
    let timer: ReturnType<typeof setTimeout> | undefined
    let isAtWork = false
    let isAsked = false
    const run = async () => {
      clearTimeout(timer)
      isAsked = true
      if (isAtWork) return
      isAtWork = true
      while (isAsked) {
        isAsked = false
        if (!isRelayOn()) setWaiting(address, 0)
        const posted = isRelayOn() ? await postRevocations(vault, address, Date.now()) : 'done'
        clearTimeout(timer)
        if (posted === 'later') {
          timer = setTimeout(run, pause)
          pause = Math.min(2 * pause, LONGEST_PAUSE)
        } else {
          // The server may get a relay, or its relay another store.
          if (isRelayOn()) timer = setTimeout(run, posted === 'done' ? RECHECK : LONGEST_PAUSE)
          pause = FIRST_PAUSE
        }
      }
      isAtWork = false
    }
    send.current = () => void run()
    send.current()
    addEventListener('online', send.current)
    const online = send.current
    return () => {
      clearTimeout(timer)
      send.current = () => {}
      removeEventListener('online', online)
    }
  }, [vault, address])
  useVaultEvent('vault:changed', ({ change }) => {
    if (change === 'tokens') send.current()
  })
  return null
}
