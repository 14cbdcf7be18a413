// The process that the contract of the embedded store kills. Makes the claims that its parent sends.
import { embeddedClaims } from '../claims/embedded-claims.ts'

// A file that reaches the process's limit fails the write, as a full disk does, and doesn't end the process.
process.on('SIGXFSZ', () => {})

const store = embeddedClaims(process.argv[2] ?? '')
process.on('message', async (message) => {
  const { id, cid, until, now } = Object(message)
  const isFirst = await store.claim(cid, until, now).catch(() => undefined)
  process.send?.({ id, isFirst })
})
process.send?.('ready')
