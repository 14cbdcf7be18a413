// The first examples that need no page, in each runtime: the enclave's, the project's and the holder's; and the enclave at the edge.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../suites.mjs'
import { at, bin, expectSaid, firstExample, run, site } from './project.mjs'

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

const PORT = 4270

/** The enclave's second example, about in-process checks, in workerd: the plugin comes as a module. */
async function inWorkerd() {
  const folder = site('workerd')
  writeFileSync(
    join(folder, 'worker.js'),
    `import { createVerifier } from '@keyhole/enclave'
import module from '@keyhole/enclave/enclave.wasm'
let verifier
export default {
  async fetch() {
    verifier ??= createVerifier({ module })
    const answer = verifier.call('validate_invocation', { invocation: 'Cnot-a-token' })
    return new Response(answer.valid ? 'valid' : answer.error.name)
  },
}`,
  )
  const bundled = ['--bundle', '--format=esm', '--conditions=workerd,worker,browser', '--external:*.wasm']
  await run(
    bin('esbuild'),
    ['worker.js', ...bundled, '--outfile=public/worker.js', '--log-level=error'],
    folder,
  )
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main) ],
  sockets = [ (name = "http", address = "127.0.0.1:${PORT}", http = (), service = "main") ]
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker", esModule = embed "public/worker.js"),
    (name = "@keyhole/enclave/enclave.wasm", wasm = embed "../node_modules/@keyhole/enclave/dist/enclave.wasm")
  ],
  compatibilityDate = "2026-11-01"
);`,
  )
  const server = spawn(bin('workerd'), ['serve', 'config.capnp'], { cwd: folder, stdio: 'inherit' })
  const ended = once(server, 'exit')
  try {
    expectSaid('workerd', await answerOf(`http://127.0.0.1:${PORT}/`), /^MalformedToken$/)
  } finally {
    server.kill()
    await ended
  }
}

/** A server's answer, as soon as there is one. @param {string} url */
export async function answerOf(url) {
  for (const until = Date.now() + 30_000; ; await wait(100)) {
    try {
      return await (await fetch(url)).text()
    } catch (error) {
      if (Date.now() > until) throw error
    }
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
