// Bundles the command together with the enclave and its thread. It contains packages of this repository; others are installed with it. Part
// of `npm run build:packages`.
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './suites.mjs'

const dist = join(root, 'packages/cli/dist')
/** Built here first, on the same disk: the command may be running. */
const made = mkdtempSync(join(root, 'node_modules/.keyhole-cli-'))
const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
const installed = new Set(Object.keys(dependencies))

/** The package of an import. @param {string} id */
const packageOf = (id) =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/')

/** @param {string} input @param {string} name */
async function build(input, name) {
  const bundle = await rolldown({
    input: join(root, input),
    platform: 'node',
    external: (id) => installed.has(packageOf(id)),
    resolve: { conditionNames: ['keyhole-source', 'node', 'import', 'module', 'default'] },
  })
  const { output } = await bundle.write({
    dir: made,
    entryFileNames: name,
    chunkFileNames: 'keyhole-[name]-[hash].js',
    format: 'es',
  })
  await bundle.close()
  const own = new Set(output.map(({ fileName }) => fileName))
  const imports = output.flatMap((each) => (each.type === 'chunk' ? each.imports : []))
  const missing = imports.filter(
    (id) => !own.has(id) && !id.startsWith('node:') && !installed.has(packageOf(id)),
  )
  if (missing.length > 0)
    throw new Error(`cli-build: ${name} imports ${missing.join(', ')}, which is not installed with it.`)
}

/** Whether a folder has just what was built. @param {string} folder */
function isBuilt(folder) {
  try {
    const names = readdirSync(made).sort()
    return (
      String(names) === String(readdirSync(folder).sort()) &&
      names.every((name) => readFileSync(join(made, name)).equals(readFileSync(join(folder, name))))
    )
  } catch {
    return false
  }
}

try {
  await build('packages/cli/src/main.ts', 'keyhole.js')
  await build('packages/enclave/src/node-worker.ts', 'node-worker.js')
  for (const name of ['enclave.wasm', 'enclave-service.wasm'])
    copyFileSync(join(root, 'packages/enclave/dist', name), join(made, name))
  for (const path of [made, join(made, 'keyhole.js')]) chmodSync(path, 0o755)
  if (!isBuilt(dist)) {
    rmSync(dist, { recursive: true, force: true })
    renameSync(made, dist)
  }
} finally {
  rmSync(made, { recursive: true, force: true })
}
