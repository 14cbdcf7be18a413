// The process that `killed.test.ts` kills. Adds revocations, mailboxes and records, and prints the CID of each
// revocation once all three of a turn are acknowledged.
import { writeSync } from 'node:fs'
import { BOUNDS } from '../bounds.ts'
import { embeddedStore } from '../stores/embedded-store.ts'

const [folder = '', name = ''] = process.argv.slice(2)
const store = embeddedStore(folder, { ...BOUNDS, ownRevocations: 1e6, revocations: 1e6 })
for (let at = 0; ; at += 1) {
  const cid = `bafy-${name}-${at}`
  const [added, left, appended] = await Promise.all([
    store.addRevocation({
      subject: 'did:key:owner',
      quota: undefined,
      id: cid,
      by: ['did:key:owner'],
      cid,
      revocation: 'C'.repeat(1_000),
      until: null,
      isReserved: false,
    }),
    store.openMailbox(`did:key:${name}-${at}`, Date.now()),
    store.appendRecord({ account: 'did:key:account', record: new TextEncoder().encode(cid) }),
  ])
  if (added === 'added' && left === 'open' && appended.result === 'appended') writeSync(1, `${cid}\n`)
}
