// How soon a relay refuses a device that was removed, and what that device has of what was written afterwards.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '../../scripts/cluster/sites.mjs'
import { expect, median } from '../measure.mjs'
import { addDevice, startDevice } from './start-device.mjs'

const ROUNDS = 10
/** Milliseconds. */
const BAR = 2_000

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const site = await startSite(folder)
  const laptop = await startDevice()
  /** @type {number[]} */
  const refused = []
  try {
    await laptop.call('create', 'Ada')
    await laptop.call('start', site.relay, 'Laptop')
    for (let round = 0; round < ROUNDS; round += 1) {
      await laptop.call('from', `198.51.0.${round}`)
      const phone = await addDevice(laptop, site.relay, `Phone ${round}`)
      await laptop.call('inStep')
      await phone.call('from', `198.51.1.${round}`)
      const begun = performance.timeOrigin + performance.now()
      const asking = phone.call('refusedAt')
      await laptop.call('remove', `Phone ${round}`)
      const { token } = await laptop.call('grant', `After ${round}`)
      refused.push((await asking) - begun)
      await laptop.call('inStep')
      await phone.call('retry')
      await phone.call('removed')
      const labels = await phone.call('labels')
      expect(!labels.includes(`After ${round}`), 'a removed device reads nothing new')
      expect(typeof token === 'string', 'the other one goes on')
      await phone.kill()
    }
    return [
      {
        title: 'From the press that removes a device until the relay refuses it',
        note: `${ROUNDS} times. The removed device asks without a pause, with calls that it signs. It has nothing that was written afterwards, each time. Bar: ${BAR / 1_000} s. That it can read nothing new with every record of the relay either is what \`device-histories\` checks.`,
        rows: [
          { name: 'median', unit: 'ms', value: median(refused) },
          { name: 'worst', unit: 'ms', value: Math.max(...refused) },
        ],
      },
    ]
  } finally {
    await laptop.kill()
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
