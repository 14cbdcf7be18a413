// Mandates of an account on three devices, in random histories of partitions, kills, payments and ends: what is authorised under each is never
// more than it allows. KEYHOLE_HISTORIES sets how many.
import { expect } from '../measure.mjs'
import { run } from './run-tests.mjs'

const TEST = 'packages/vault/src/sync/apart/budgets-apart.test.ts'

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const histories = process.env.KEYHOLE_HISTORIES ?? '20'
  const { code, said } = await run('npx', ['vitest', 'run', TEST], { KEYHOLE_HISTORIES: histories })
  const all = [...said.matchAll(/Budgets: (\d+) histories, (\d+) tried, (\d+) authorised, (\d+) overspent/g)]
  const [, count, tried, authorised, overspent] = all.at(-1)?.map(Number) ?? []
  expect(code === 0 && count !== undefined, `a history failed: ${said.slice(-2_000)}`)
  const row = (/** @type {string} */ name, value = Number.NaN) => ({ name, unit: '', value })
  return [
    {
      title: 'Budgets of three devices under partitions',
      note: `${count} random histories with the real enclave: devices are cut off and killed, pay from every mandate that there is, some at the same time, and end mandates. Bar: none is overspent.`,
      rows: [
        row('payments tried', tried),
        row('authorised', authorised),
        row('mandates overspent', overspent),
      ],
    },
  ]
}
