// Inputs that ask for as much work as they can: each is answered, and what does not hold never holds for being dear. How long they
// take is no test's matter; that is in bench/costs.mjs.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { begin, drawing, type Genes, inputOf, NAMES, SHAPES } from '../../../scripts/cost-inputs.mjs'
import { fetchVerified } from './loading/source.ts'
import { Plugin } from './plugin/plugin.ts'

/** Inputs of each shape, beside those that are kept. */
const INPUTS = 2

/** Bytes that an answer may be longer than its input. */
const MOST_LONGER = 1 << 20

interface Stored {
  readonly shape: string
  readonly genes: Genes
  /** Whether it would hold, work left aside. */
  readonly holds: boolean
}

const { cases }: { cases: Stored[] } = JSON.parse(
  readFileSync(new URL('../../../vectors/cost/worst.json', import.meta.url), 'utf8'),
)

let plugin: Plugin
beforeAll(async () => {
  const wasm = await fetchVerified(undefined, { timeout: 30_000, signal: undefined })
  plugin = await Plugin.create(wasm, { allowedHosts: [] })
})

/** What a call is answered with: the name of the first rule that was broken, or `holds`. */
async function ask(shape: string, genes: Genes): Promise<string> {
  const { call, input } = inputOf(shape, genes)
  // What traps throws.
  const bytes = new TextEncoder().encode(JSON.stringify(input))
  const answer = (await plugin.call(call, bytes)) ?? ''
  expect(Buffer.byteLength(answer), 'more than 1 MiB longer than its input').toBeLessThanOrEqual(
    bytes.length + MOST_LONGER,
  )
  const name = /"name":"(\w+)"/.exec(answer)?.[1]
  expect([...NAMES, undefined]).toContain(name)
  return name ?? (answer.includes('"code":') ? 'refused' : 'holds')
}

describe('the dearest inputs that a search found', () => {
  it.each(cases)('$shape $genes', { timeout: 120_000 }, async ({ shape, genes, holds }) => {
    const answer = await ask(shape, genes)
    if (holds) expect(['holds', 'TooMuchWork']).toContain(answer)
    else expect(answer).not.toBe('holds')
  })

  it('are of every shape', () => {
    expect(new Set(cases.map(({ shape }) => shape))).toEqual(new Set(Object.keys(SHAPES)))
  })
})

describe('a short search', () => {
  it.each(Object.entries(SHAPES))(
    'answers %s, whatever their numbers',
    {
      timeout: 120_000,
    },
    async (name, shape) => {
      const draw = drawing(Object.keys(SHAPES).indexOf(name) + 1)
      for (let count = 0; count < INPUTS; count += 1) await ask(name, begin(shape, draw))
    },
  )
})
