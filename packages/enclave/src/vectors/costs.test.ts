// Inputs that demand as much work as possible: each gets an answer, and an invalid one never becomes valid because it's
// expensive. How long they take is measured in bench/costs.mjs.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { begin, drawing, type Genes, inputOf, NAMES, SHAPES } from '../../../../scripts/cost-inputs.mjs'
import { fetchVerified } from '../loading/source.ts'
import { Plugin } from '../plugin/plugin.ts'

/** Inputs of each shape, in addition to the recorded ones. */
const INPUTS = 2

/** How many bytes an answer may be longer than its input. */
const MOST_LONGER = 1 << 20

interface Stored {
  readonly shape: string
  readonly genes: Genes
  /** Whether it would be valid, ignoring the work. */
  readonly holds: boolean
}

const { cases }: { cases: Stored[] } = JSON.parse(
  readFileSync(new URL('../../../../vectors/cost/worst.json', import.meta.url), 'utf8'),
)

let plugin: Plugin
beforeAll(async () => {
  const wasm = await fetchVerified(undefined, { timeout: 30_000, signal: undefined })
  plugin = await Plugin.create(wasm, { allowedHosts: [] })
})

/** A call's answer: the name of the first broken rule, or `holds`. */
async function ask(shape: string, genes: Genes): Promise<string> {
  const { call, input } = inputOf(shape, genes)
  // A trap throws.
  const bytes = new TextEncoder().encode(JSON.stringify(input))
  const answer = (await plugin.call(call, bytes)) ?? ''
  expect(Buffer.byteLength(answer), 'more than 1 MiB longer than its input').toBeLessThanOrEqual(
    bytes.length + MOST_LONGER,
  )
  const name = /"name":"(\w+)"/.exec(answer)?.[1]
  expect([...NAMES, undefined]).toContain(name)
  return name ?? (answer.includes('"code":') ? 'refused' : 'holds')
}

describe('the most expensive inputs found by a search', () => {
  it.each(cases)('$shape $genes', async ({ shape, genes, holds }) => {
    const answer = await ask(shape, genes)
    if (holds) expect(['holds', 'TooMuchWork']).toContain(answer)
    else expect(answer).not.toBe('holds')
  })

  it('include every shape', () => {
    expect(new Set(cases.map(({ shape }) => shape))).toEqual(new Set(Object.keys(SHAPES)))
  })
})

describe('a short search', () => {
  it.each(Object.entries(SHAPES))(
    'gets an answer for %s, whatever their numbers',
    {
      timeout: 120_000,
    },
    async (name, shape) => {
      const draw = drawing(Object.keys(SHAPES).indexOf(name) + 1)
      for (let count = 0; count < INPUTS; count += 1) await ask(name, begin(shape, draw))
    },
  )
})
