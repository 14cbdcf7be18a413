import { t } from '@lingui/core/macro'
import { siteOf } from '../../../shared/words/payment.ts'

/** Most that one mandate names. */
const MOST = 32

/** Addresses that need no certificate: those of this machine. */
const LOCAL = /^(?:localhost|127\.0\.0\.1)$/

/**
 * The `did:web` of a site, from its address as people write it: "shop.example", "https://shop.example/cart". Letters of other scripts
 * become the ASCII that the browser compares. Undefined if it isn't the address of a site.
 */
export function payeeOf(text: string): string | undefined {
  const typed = text.trim()
  // After a host a URL may have spaces, and another address behind them.
  if (/\s/.test(typed)) return undefined
  if (typed.startsWith('did:')) return siteOf(typed) === undefined ? undefined : typed
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, host, username, password } = new URL(address)
  if (username !== '' || password !== '') return undefined
  if (protocol !== 'https:' && !(protocol === 'http:' && LOCAL.test(hostname))) return undefined
  if (!hostname.includes('.') && !LOCAL.test(hostname)) return undefined
  const did = `did:web:${encodeURIComponent(host)}`
  return siteOf(did) === undefined ? undefined : did
}

/**
 * The sites of a list with commas, semicolons or lines between them, each once; or what is wrong with it. A space separates nothing:
 * “shop. example.com” with a slip in it would let example.com be paid.
 */
export function readPayees(text: string): { payees: string[] } | { problem: string } {
  const payees = new Set<string>()
  for (const part of text.split(/[\n,;]/)) {
    const each = part.trim()
    if (each === '') continue
    const payee = payeeOf(each)
    if (payee === undefined) return { problem: t`“${each}” isn’t a web address. Write it like shop.example.` }
    payees.add(payee)
  }
  if (payees.size > MOST) return { problem: t`A mandate names at most ${MOST} sites.` }
  return { payees: [...payees] }
}
