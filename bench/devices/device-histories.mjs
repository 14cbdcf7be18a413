// Random histories of devices over a relay: killed, put back from copies, with wrong clocks and their own lists. All end with one state, and
// nothing that was saved is missing. KEYHOLE_HISTORIES sets how many, and KEYHOLE_FROM the first seed.
import { expect } from '../measure.mjs'
import { run } from './run-tests.mjs'

const HISTORIES = process.env.KEYHOLE_HISTORIES ?? '10000'

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const args = [
    'test',
    '--release',
    '-p',
    'keyhole-sync',
    '--lib',
    'histories::histories',
    '--',
    '--nocapture',
  ]
  const { code, said } = await run('cargo', args, { KEYHOLE_HISTORIES: HISTORIES })
  const [told, count] = /^(\d+) histories from seed \d+: .*$/m.exec(said) ?? []
  expect(code === 0 && told !== undefined, `a history failed: ${said.slice(-2_000)}`)
  return [
    {
      title: 'Histories of devices that end with one state, and lose nothing that was saved',
      note: `“${told}” Three to seven devices. Bar: 10,000.`,
      rows: [{ name: 'histories', unit: '', value: Number(count) }],
    },
  ]
}
