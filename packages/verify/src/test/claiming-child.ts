// The process that the embedded stores' contract tests kill. Makes the claims, counts the budgets, and adds the revocations that its
// parent sends.
import { join } from 'node:path'
import { embeddedClaims } from '../claims/embedded-claims.ts'
import { embeddedRevocations } from '../revocations/embedded-revocations.ts'

// A write beyond the process's file size limit fails, like on a full disk, instead of ending the process.
process.on('SIGXFSZ', () => {})

const folder = process.argv[2] ?? ''
const store = embeddedClaims(folder)
const revocations = embeddedRevocations(join(folder, 'revocations'))
process.on('message', async (message) => {
  const { id, cid, until, spends, now, added } = Object(message)
  const work = added
    ? Promise.resolve(revocations.add(added))
    : spends
      ? store.spend(spends, now)
      : store.claim(cid, until, now)
  const answered = await work.then(
    (answer) => ({ isDone: true, answer }),
    () => ({ isDone: false }),
  )
  process.send?.({ id, ...answered })
})
process.send?.('ready')
