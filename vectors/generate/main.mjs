// Writes vectors/keyhole/validation.json and calls.json: the same bytes each time. With --print, the first to standard output instead.

import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { callVectors } from './calls.mjs'
import { algorithms } from './cases/algorithms.mjs'
import { audiences } from './cases/audiences.mjs'
import { batches } from './cases/batches.mjs'
import { chains } from './cases/chains.mjs'
import { commands } from './cases/commands.mjs'
import { ed25519Points } from './cases/ed25519.mjs'
import { canonical } from './cases/encoding/canonical.mjs'
import { containers, files } from './cases/encoding/containers.mjs'
import { envelopes } from './cases/encoding/envelopes.mjs'
import { fields } from './cases/encoding/fields.mjs'
import { versions } from './cases/encoding/versions.mjs'
import { inspections } from './cases/inspections.mjs'
import { knownFailures } from './cases/known-failures.mjs'
import { limits } from './cases/limits.mjs'
import { orders } from './cases/order.mjs'
import { policies } from './cases/policy/policies.mjs'
import { malformedPolicies } from './cases/policy/policy-forms.mjs'
import { malformedSelectors } from './cases/policy/selector-forms.mjs'
import { selectors } from './cases/policy/selectors.mjs'
import { powerlines } from './cases/powerlines.mjs'
import { proofs } from './cases/proofs.mjs'
import { replays } from './cases/replays.mjs'
import { revocations } from './cases/revocations.mjs'
import { delegatedRevocations } from './cases/revocations-delegated.mjs'
import { subjects } from './cases/subjects.mjs'
import { times } from './cases/times.mjs'
import { KEYS } from './keys.mjs'

const FAMILIES = [
  policies,
  malformedPolicies,
  selectors,
  malformedSelectors,
  algorithms,
  ed25519Points,
  canonical,
  envelopes,
  fields,
  versions,
  times,
  commands,
  subjects,
  powerlines,
  audiences,
  proofs,
  orders,
  revocations,
  delegatedRevocations,
  replays,
  batches,
  chains,
  containers,
  inspections,
  limits,
  knownFailures,
]

/**
 * The text of the file.
 *
 * @returns {string}
 */
export function validationVectors() {
  const keys = KEYS.map(({ name, seed, type, did }) => [name, { seed: seed.toString('hex'), type, did }])
  const cases = FAMILIES.flatMap((family) => family())
  const names = new Set()
  for (const { name } of cases) {
    if (names.has(name)) throw new Error(`two cases have one name: ${name}`)
    names.add(name)
  }
  const lines = (/** @type {unknown[]} */ items) => `[\n${items.map(write).join(',\n')}\n]`
  return `{"keys":${write(Object.fromEntries(keys))},\n"cases":${lines(cases)},\n"files":${lines(files())}}\n`
}

/** JSON in which integers past 2^53 keep their digits. @param {unknown} value */
function write(value) {
  const digits = (/** @type {string} */ _, /** @type {unknown} */ each) =>
    typeof each === 'bigint' ? `bigint ${each}` : each
  return JSON.stringify(value, digits).replace(/"bigint (-?\d+)"/g, '$1')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--print')) process.stdout.write(validationVectors())
  else {
    writeFileSync(new URL('../keyhole/validation.json', import.meta.url), validationVectors())
    writeFileSync(new URL('../keyhole/calls.json', import.meta.url), callVectors())
  }
}
