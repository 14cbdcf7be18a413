// How every figure is measured: the contenders take turns in one process, so that other work on the machine affects all of them.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** @type {() => void} */
const collectGarbage = runInNewContext('gc')

/** @typedef {{name: string, unit: string, value: number}} Row */
/**
 * @typedef {{title: string, note?: string, better?: 'more' | 'less', rows: Row[]}} Figure If one is better, the first row is ours and the others are its rivals.
 */

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Calls per second, with `inFlight` calls in flight at any time: the median of the rounds after a warm-up.
 * @param {Record<string, () => Promise<unknown>>} contenders
 * @param {{inFlight?: number, rounds?: number, milliseconds?: number}} options
 * @returns {Promise<Record<string, number>>}
 */
export async function rates(contenders, { inFlight = 256, rounds = 7, milliseconds = 500 } = {}) {
  /** @type {Record<string, number[]>} */
  const taken = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, call] of Object.entries(contenders)) {
      const start = performance.now()
      let calls = 0
      const lane = async () => {
        while (performance.now() - start < milliseconds) {
          await call()
          calls += 1
        }
      }
      await Promise.all(Array.from({ length: inFlight }, lane))
      if (round > 0) taken[name]?.push((calls / (performance.now() - start)) * 1000)
    }
  }
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)]))
}

/**
 * Milliseconds for each, one after another: the median of the rounds after a warm-up.
 * @param {Record<string, {before?: () => Promise<unknown>, run: () => Promise<unknown>, after?: () => Promise<unknown>}>} contenders
 * @param {number} rounds
 * @returns {Promise<Record<string, number>>}
 */
export async function times(contenders, rounds = 9) {
  /** @type {Record<string, number[]>} */
  const taken = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { before, run, after }] of Object.entries(contenders)) {
      await before?.()
      const start = performance.now()
      await run()
      if (round > 0) taken[name]?.push(performance.now() - start)
      await after?.()
    }
  }
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)]))
}

/**
 * Milliseconds of processor time for each, in all threads of this process, so that other work on the machine matters little. They take
 * turns; the result is the median of the rounds after a warm-up. Garbage is collected before each, so that none pays for another's.
 * @param {Record<string, {before?: () => Promise<unknown>, run: () => Promise<unknown>, after?: () => Promise<unknown>}>} contenders
 * @param {number} rounds
 * @returns {Promise<Record<string, number>>}
 */
export async function processorTimes(contenders, rounds = 9) {
  /** @type {Record<string, number[]>} */
  const taken = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { before, run, after }] of Object.entries(contenders)) {
      await before?.()
      collectGarbage()
      const start = process.cpuUsage()
      await run()
      const { user, system } = process.cpuUsage(start)
      if (round > 0) taken[name]?.push((user + system) / 1_000)
      await after?.()
    }
  }
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)]))
}

/** Of /proc: clock ticks a second. */
const TICKS = 100

/**
 * Processor time that another process has used, with all its threads.
 * @param {number | undefined} pid
 * @returns {number} milliseconds
 */
export function usedBy(pid) {
  const [, rest = ''] = /\) (.*)$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8').trim()) ?? []
  const [user, system] = rest.split(' ').slice(11, 13)
  return ((Number(user) + Number(system)) * 1_000) / TICKS
}

/**
 * An unexpected result ends the benchmark, because a fast refusal isn't a valid figure.
 * @param {boolean} holds
 * @param {string} what
 */
export function expect(holds, what) {
  if (!holds) throw new Error(`bench: ${what}`)
}
