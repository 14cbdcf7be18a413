// A device in a process of its own, as its parent has it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * @typedef {object} DeviceProcess
 * @property {number | undefined} pid
 * @property {(name: string, ...given: unknown[]) => Promise<any>} call
 * @property {() => Promise<void>} kill
 */

/** @returns {Promise<DeviceProcess>} */
export async function startDevice() {
  const child = fork(join(import.meta.dirname, 'device.mjs'), { serialization: 'advanced', execArgv: [] })
  /** @type {Map<number, {resolve: (answer: unknown) => void, reject: (error: Error) => void}>} */
  const waiting = new Map()
  let calls = 0
  child.on('message', (said) => {
    const { id, answer, failed } = Object(said)
    const call = waiting.get(id)
    waiting.delete(id)
    if (failed === undefined) call?.resolve(answer)
    else call?.reject(new Error(failed))
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The device has ended.'))
  })
  await new Promise((resolve, reject) => waiting.set(0, { resolve, reject }))
  return {
    pid: child.pid,
    call: (name, ...given) =>
      new Promise((resolve, reject) => {
        calls += 1
        waiting.set(calls, { resolve, reject })
        child.send({ id: calls, name, given })
      }),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * Adds a second device to an account that is on one.
 * @param {DeviceProcess} first @param {string} relay @param {string} name @returns {Promise<DeviceProcess>}
 */
export async function addDevice(first, relay, name) {
  const second = await startDevice()
  await second.call('from', '192.0.2.200')
  const text = await second.call('beginJoining', relay)
  const digits = await Promise.all([first.call('readPairingCode', text), second.call('joiningDigits')])
  if (digits[0] !== digits[1]) throw new Error('bench: the digits differ')
  await Promise.all([second.call('join'), first.call('add', name)])
  return second
}
