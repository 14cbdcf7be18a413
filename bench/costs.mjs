// Processor time for the most expensive inputs that a search found, through the built wasm: vectors/cost/worst.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchVerified } from '../packages/enclave/dist/loading/source.js'
import { Plugin } from '../packages/enclave/dist/plugin/plugin.js'
import { inputOf } from '../scripts/cost-inputs.mjs'
import { median } from './measure.mjs'

const BAR = 250
const ROUNDS = 5

/** Processor milliseconds of this thread. */
function threadTime() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1_000_000
}

export async function figures() {
  const file = join(import.meta.dirname, '../vectors/cost/worst.json')
  const { cases } = JSON.parse(readFileSync(file, 'utf8'))
  const wasm = await fetchVerified(undefined, { timeout: 30_000, signal: undefined })
  const rows = []
  for (const { shape, genes } of cases) {
    const { call, input } = inputOf(shape, genes)
    const bytes = new TextEncoder().encode(JSON.stringify(input))
    const taken = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const plugin = await Plugin.create(wasm, { allowedHosts: [] })
      const start = threadTime()
      await plugin.call(call, bytes.slice())
      taken.push(threadTime() - start)
    }
    rows.push({ name: `${shape}, ${bytes.length} bytes`, unit: 'ms', value: median(taken) })
  }
  return [
    {
      title: 'The costliest inputs that a search found',
      note: `Processor time of one call in a fresh enclave, median of ${ROUNDS}. The bar is ${BAR} ms.`,
      rows,
    },
  ]
}
