// How soon a change is on the other device, over relays on a NATS cluster; and after a relay, or the NATS server that leads the records,
// was killed. A change counts once the other device's vault has it stored and says so.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { natsServer } from '../../scripts/cluster/nats-server.mjs'
import { startRelays } from '../../scripts/cluster/sites.mjs'
import { expect, median } from '../measure.mjs'
import { addDevice, startDevice } from './start-device.mjs'

const CHANGES = Number(process.env.KEYHOLE_CHANGES ?? 50)
const KILLS = Number(process.env.KEYHOLE_ROUNDS ?? 50)
/** Of leaders: each takes NATS several seconds. */
const LEADERS = Number(process.env.KEYHOLE_LEADERS ?? 10)
const RELAYS = 2
/** Milliseconds. */
const BAR = 300
const BAR_AFTER_KILL = 3_000

/** @param {number[]} values @param {number} part */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const program = natsServer()
  if (program === undefined) return []
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const cluster = await startRelays(program, folder, RELAYS)
  const laptop = await startDevice()
  /** @type {import('./start-device.mjs').DeviceProcess | undefined} */
  let phone
  try {
    await laptop.call('create', 'Ada')
    await laptop.call('start', cluster.relay, 'Laptop')
    phone = await addDevice(laptop, cluster.relay, 'Phone')
    const both = /** @type {const} */ ([laptop, phone])
    let made = 0
    /** A change on one is awaited on the other. Each is from another network, because a relay lets one do only so much. */
    const change = async (/** @type {number} */ from) => {
      made += 1
      const [one, other] = from === 0 ? both : [both[1], both[0]]
      await Promise.all(both.map((each, at) => each.call('from', `198.51.${at}.${made % 256}`)))
      const label = `Change ${made}`
      const seen = other.call('sees', label)
      const { begun, saved } = await one.call('grant', label)
      const at = await seen
      return { fromPress: at - begun, fromSaved: at - saved }
    }
    /** @type {number[]} */
    const [quiet, pressed] = [[], []]
    for (let turn = -3; turn < CHANGES; turn += 1) {
      const { fromPress, fromSaved } = await change(Math.abs(turn) % 2)
      if (turn >= 0) quiet.push(fromSaved)
      if (turn >= 0) pressed.push(fromPress)
      await Promise.all(both.map((each) => each.call('inStep')))
    }
    /** @type {number[]} */
    const [ofRelays, ofLeaders, elected] = [[], [], []]
    for (let round = 0; round < KILLS; round += 1) {
      await cluster.kill(`relay ${round % RELAYS}`)
      ofRelays.push((await change(round % 2)).fromSaved)
      await cluster.startRelay(round % RELAYS)
      await Promise.all(both.map((each) => each.call('inStep')))
    }
    for (let round = 0; round < LEADERS; round += 1) {
      const leader = await cluster.leader()
      await cluster.kill(`nats ${leader}`)
      const begun = performance.now()
      const election = cluster.leader().then(() => elected.push(performance.now() - begun))
      ofLeaders.push((await change(round % 2)).fromSaved)
      await election
      await cluster.startNode(leader)
      await Promise.all(both.map((each) => each.call('inStep')))
    }
    const [here, there] = await Promise.all(both.map((each) => each.call('labels')))
    expect(here.length === made && there.length === made, 'no change was lost')
    const within = (/** @type {number[]} */ values) => values.filter((each) => each <= BAR_AFTER_KILL).length
    return [
      {
        title: 'A change, until it is on the other device',
        note: `${CHANGES} changes, in turns on either of two devices, each a process with the real enclave, over ${RELAYS} relays on three NATS servers that write each message to disk. From when it is saved. Bar: ${BAR} ms for 95 of 100, on a quiet machine.`,
        rows: [
          { name: 'median', unit: 'ms', value: median(quiet) },
          { name: '95th percentile', unit: 'ms', value: percentile(quiet, 0.95) },
          { name: 'from the press, 95th percentile', unit: 'ms', value: percentile(pressed, 0.95) },
        ],
      },
      {
        title: 'A change right after a relay was killed, until it is on the other device',
        note: `${within(ofRelays)} of ${KILLS} within ${BAR_AFTER_KILL / 1_000} s, none lost. Bar: all of ${KILLS}.`,
        rows: [
          { name: 'median', unit: 'ms', value: median(ofRelays) },
          { name: 'worst', unit: 'ms', value: Math.max(...ofRelays) },
        ],
      },
      {
        title: 'A change right after the NATS server that leads was killed, until it is on the other device',
        note: `${LEADERS} times, none lost. Until there is a new leader, no one can store anything: NATS waits four to nine seconds before it elects one.`,
        rows: [
          { name: 'median', unit: 'ms', value: median(ofLeaders) },
          { name: 'worst', unit: 'ms', value: Math.max(...ofLeaders) },
          { name: 'until there is a new leader, median', unit: 'ms', value: median(elected) },
          { name: 'until there is a new leader, worst', unit: 'ms', value: Math.max(...elected) },
        ],
      },
    ]
  } finally {
    await phone?.kill()
    await laptop.kill()
    await cluster.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
