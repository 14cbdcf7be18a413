// What unlocking, granting and searching cost a vault that is on two devices, compared with the same vault on one: in Node, with the real
// enclave, each in a process of its own. They take turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '../../scripts/cluster/sites.mjs'
import { median } from '../measure.mjs'
import { addDevice, startDevice } from './start-device.mjs'

const ROUNDS = Number(process.env.KEYHOLE_ROUNDS ?? 15)
const TOKENS = (process.env.KEYHOLE_TOKENS ?? '10,1000').split(',').map(Number)
/** Changes that the relay tells of one at a time, as they are made: each is a page of its own. */
const CHANGES = Number(process.env.KEYHOLE_CHANGES ?? 300)
/** Grants that are made one after another. */
const TOGETHER = 10
/** Grants before anything is measured. Putting an account on devices starts its enclave again, and the other one's is warm by then. */
const WARM = 100
const BAR = 1.1

/** @typedef {import('./start-device.mjs').DeviceProcess} DeviceProcess */
/** @typedef {(device: DeviceProcess, round: number) => Promise<{wall: number, processor: number}>} Work */

/** @param {DeviceProcess} device @param {() => Promise<{wall: number, processor: number}>} work */
async function locked(device, work) {
  await device.call('lock')
  const taken = await work()
  await device.call('settled')
  return taken
}

/** @type {readonly {title: string, isWhole?: true, isUnlock?: true, work: Work}[]} */
const KINDS = [
  {
    title: 'An unlock with a passphrase',
    work: (device) => locked(device, () => device.call('unlock', 'passphrase')),
  },
  {
    title: 'An unlock with a passkey',
    work: (device) => locked(device, () => device.call('unlock', 'passkey')),
  },
  {
    title: 'An unlock with a passkey, with what follows in the background',
    isWhole: true,
    isUnlock: true,
    work: (device) => locked(device, () => device.call('unlockAndSettle', 'passkey')),
  },
  {
    title: 'A grant',
    work: async (device, round) => {
      const taken = await device.call('measureGrant', `Measured ${round}`)
      await device.call('settled')
      return taken
    },
  },
  {
    title: `A grant of ${TOGETHER}, one after another, while the first ones are sent`,
    work: async (device, round) => {
      const taken = await device.call('measureGrants', `Together ${round}`, TOGETHER)
      await device.call('settled')
      return taken
    },
  },
  {
    title: 'A grant, with what follows in the background',
    isWhole: true,
    work: (device, round) => device.call('grantAndSettle', `Settled ${round}`),
  },
  { title: 'A search', work: (device) => device.call('measureSearch', 'Number') },
]

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const site = await startSite(folder)
  /** @type {DeviceProcess[]} */
  const all = []
  /** @type {import('../measure.mjs').Figure[]} */
  const made = []
  try {
    const plainly = TOKENS.map((tokens) => ({ tokens, changes: 0 }))
    for (const { tokens, changes } of [...plainly, { tokens: 10, changes: CHANGES }]) {
      const [synced, plain] = [await startDevice(), await startDevice()]
      all.push(synced, plain)
      await synced.call('from', `198.51.100.${all.length}`)
      for (const each of [synced, plain]) {
        await each.call('create', 'Ada')
        await each.call('grants', tokens)
      }
      await synced.call('start', site.relay, 'Laptop')
      const phone = await addDevice(synced, site.relay, 'Phone')
      await phone.kill()
      for (let change = 0; change < changes; change += 1) {
        if (change % 10 === 0) await synced.call('from', `203.1.${tokens % 251}.${change / 10}`)
        await synced.call('grantAndSettle', `Change ${change}`)
        await plain.call('grant', `Change ${change}`)
      }
      for (const each of [synced, plain]) {
        await each.call('grants', WARM)
        await each.call('settled')
      }
      const kinds = changes > 0 ? KINDS.filter(({ isUnlock }) => isUnlock) : KINDS
      for (const { title, isWhole, work } of kinds) {
        /** @type {{wall: number, processor: number}[][]} */
        const taken = [[], []]
        for (let round = 0; round <= ROUNDS; round += 1) {
          await synced.call('from', `203.0.${tokens % 251}.${round}`)
          // Whoever is first warms up the machine's caches for the other one.
          const turns = round % 2 === 0 ? [0, 1] : [1, 0]
          for (const at of turns) {
            const device = at === 0 ? synced : plain
            const one = await work(device, round)
            if (round > 0) taken[at]?.push(one)
          }
        }
        const some = changes > 0 ? ` and ${changes.toLocaleString('en-GB')} changes, one at a time` : ''
        const shown = `${tokens.toLocaleString('en-GB')} tokens${some}`
        const measures = isWhole
          ? /** @type {const} */ (['processor'])
          : /** @type {const} */ (['wall', 'processor'])
        for (const kind of measures) {
          const [ours = [], theirs = []] = taken.map((each) => each.map((one) => one[kind]))
          made.push({
            title: `${title}, ${shown}${kind === 'processor' ? ', processor time' : ''}`,
            note: isWhole ? undefined : `Bar: ${BAR} times.`,
            better: 'less',
            rows: [
              { name: 'on two devices', unit: 'ms', value: median(ours) },
              { name: 'on one', unit: 'ms', value: median(theirs) },
            ],
          })
        }
      }
    }
    return made
  } finally {
    for (const device of all) await device.kill()
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
