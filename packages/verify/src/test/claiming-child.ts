// The process that the contract of the embedded store kills. Makes the claims that its parent sends.
import { embeddedClaims } from '../claims/embedded-claims.ts'

const store = embeddedClaims(process.argv[2] ?? '')
process.on('message', async (message) => {
  const { id, cid, until, now } = Object(message)
  const isFirst = await store.claim(cid, until, now).catch(() => undefined)
  process.send?.({ id, isFirst })
})
process.send?.('ready')
