// The first examples that need no page, in each runtime: the enclave's, the project's and the holder's; and the enclave at the edge.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../suites.mjs'
import { at, bin, expectSaid, firstExample, run } from './project.mjs'
import { answerOf, serveInWorkerd } from './workerd.mjs'

const EXAMPLES = [
  [at('node_modules/@keyhole/enclave/README.md'), /^true\n$/],
  [join(root, 'README.md'), /^false\n$/],
  [
    at('node_modules/@keyhole/holder/README.md'),
    /^https:\/\/vault\.example\/connect#keyhole-request-1\.[\w-]+\n$/,
  ],
]

/** @param {string} command @param {string[]} [args] */
const inRuntime =
  (command, args = []) =>
  async (/** @type {string} */ name) => {
    const file = `example-${name.replaceAll(/\W+/g, '-')}.mjs`
    for (const [readme, expected] of EXAMPLES) {
      writeFileSync(at(file), firstExample(readme))
      expectSaid(`${name}, ${readme}`, await run(command, [...args, file]), expected)
    }
  }

/** The Node of a version installed in the project. @param {number} version */
export const node = (version) => at(`node_modules/node${version}/bin/node`)

/** The enclave's second example, about in-process checks, in workerd. */
async function inWorkerd() {
  const { url, end } = await serveInWorkerd('workerd', 4270, {
    'worker.js': `import { createVerifier } from '@keyhole/enclave'
import module from '@keyhole/enclave/enclave.wasm'
let verifier
export default {
  async fetch() {
    verifier ??= createVerifier({ module })
    const answer = verifier.call('validate_invocation', { invocation: 'Cnot-a-token' })
    return new Response(answer.valid ? 'valid' : answer.error.name)
  },
}`,
  })
  try {
    expectSaid('workerd', await answerOf(url), /^MalformedToken$/)
  } finally {
    await end()
  }
}

/** @type {Record<string, (name: string) => Promise<void>>} */
export const runtimes = {
  'Node, this one': inRuntime(process.execPath),
  'Node 22': inRuntime(node(22)),
  'Node 24': inRuntime(node(24)),
  'Node 26': inRuntime(node(26)),
  Bun: inRuntime(bin('bun')),
  Deno: inRuntime(bin('deno'), ['run', '--allow-all', '--quiet']),
  workerd: inWorkerd,
}
