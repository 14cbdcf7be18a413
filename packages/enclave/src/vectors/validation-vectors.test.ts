import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnclave } from '../create-enclave.ts'
import { parseJson } from '../json.ts'
import type { Enclave, EnclaveExport } from '../types.ts'

interface VectorFile {
  cases: { name: string; rule: string; call: EnclaveExport; input: unknown; expect: object }[]
  files: { name: string; bytes: string; tokens: string[] }[]
}

const folder = new URL('../../../../vectors/', import.meta.url)
const text = readFileSync(new URL('keyhole/validation.json', folder), 'utf8')
const { cases, files } = parseJson(text) as VectorFile
const rules = groupByRule()

function groupByRule() {
  const groups = new Map<string, VectorFile['cases']>()
  for (const each of cases) groups.set(each.rule, [...(groups.get(each.rule) ?? []), each])
  return groups
}

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave()
})
afterAll(() => enclave.close())

describe.each([...rules])('%s', (_rule, group) => {
  it.each(group)('$name', async ({ call, input, expect: expected }) => {
    // The subset rule: an object may have more fields; a list has the same number of items, each of which is a subset.
    expect(await enclave.callByName(call, input)).toMatchObject(expected)
  })
})

/** A raw container as text: the same bytes in base64url, with its header. */
function asText(bytes: Buffer): string {
  const header = bytes.toString('latin1', 0, 1)
  if (header === '@') return `C${bytes.toString('base64url', 1)}`
  if (header === 'M') return `P${bytes.toString('base64url', 1)}`
  return bytes.toString('latin1')
}

it.each(files)('$name is read', async ({ bytes, tokens }) => {
  const token = asText(Buffer.from(bytes, 'hex'))
  expect(await enclave.call('inspect_token', { token })).toMatchObject({
    tokens: tokens.map((cid) => ({ cid })),
  })
})

it('the files are exactly what the generator writes', async () => {
  const { validationVectors } = await import(new URL('generate/main.mjs', folder).href)
  expect(validationVectors() === text, 'run: node vectors/generate/main.mjs').toBe(true)
})

it('the counts are those in the README', () => {
  const readme = readFileSync(new URL('README.md', folder), 'utf8')
  const rows = readme.matchAll(/^\| `([^`]+)` \| (\d+) \|/gm)
  expect(Object.fromEntries(Array.from(rows, ([, rule, count]) => [rule, Number(count)]))).toEqual(
    Object.fromEntries(Array.from(rules, ([rule, group]) => [rule, group.length])),
  )
})
