// 100,000 calls of one plugin in a row. Every answer is checked.
import { createEnclave } from '@keyhole/enclave'
import { expect } from './measure.mjs'

const CALLS = 100_000
const IN_FLIGHT = 1_000

export async function figures() {
  const enclave = await createEnclave()
  const { status } = await enclave.call('create_vault', { passphrase: 'four words that nobody guesses' })
  const { token } = await enclave.call('new_origin_token', {
    audience_did: status.issuer_did,
    command: '/notes/read',
  })
  const start = performance.now()
  let held = 0
  for (let made = 0; made < CALLS; made += IN_FLIGHT) {
    const answers = await Promise.all(
      Array.from({ length: IN_FLIGHT }, () => enclave.call('verify_token', { token })),
    )
    held += answers.filter(({ valid }) => valid === true).length
  }
  const seconds = (performance.now() - start) / 1000
  await enclave.close()
  expect(held === CALLS, `${CALLS - held} of ${CALLS} calls failed`)
  return [
    {
      title: '100,000 calls in a row',
      note: `${held} of ${CALLS} answered as they should, in ${seconds.toFixed(1)} s.`,
      better: 'more',
      rows: [{ name: 'Keyhole, verify_token', unit: '/s', value: CALLS / seconds }],
    },
  ]
}
