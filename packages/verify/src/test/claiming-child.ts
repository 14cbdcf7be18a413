// The process that the embedded store's contract test kills. Makes the claims, and counts the budgets, that its parent sends.
import { embeddedClaims } from '../claims/embedded-claims.ts'

// A write beyond the process's file size limit fails, like on a full disk, instead of ending the process.
process.on('SIGXFSZ', () => {})

const store = embeddedClaims(process.argv[2] ?? '')
process.on('message', async (message) => {
  const { id, cid, until, spends, now } = Object(message)
  const work = spends ? store.spend(spends, now) : store.claim(cid, until, now)
  const answered = await work.then(
    (answer) => ({ isDone: true, answer }),
    () => ({ isDone: false }),
  )
  process.send?.({ id, ...answered })
})
process.send?.('ready')
