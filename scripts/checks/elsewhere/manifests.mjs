// Checks each package's declarations: with publint and arethetypeswrong, by what its files import, and with each supported TypeScript.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { at, bin, exampleOf, run, site, tarballs } from './project.mjs'

/** @param {string} name */
const manifestOf = (name) => JSON.parse(readFileSync(at('node_modules', name, 'package.json'), 'utf8'))

async function linted() {
  for (const tarball of tarballs.values()) await run(bin('publint'), [tarball, '--strict'])
}

async function typesResolve() {
  for (const [name, tarball] of tarballs) {
    const { exports = {} } = manifestOf(name)
    // No one imports the command. The plugins aren't JavaScript, and what importing one returns depends on the bundler.
    if (Object.keys(exports).length === 0) continue
    const plugins = Object.keys(exports).filter((path) => path.endsWith('.wasm'))
    const left = plugins.length > 0 ? ['--exclude-entrypoints', ...plugins.map((path) => path.slice(2))] : []
    await run(bin('attw'), [tarball, '--profile', 'esm-only', ...left])
  }
}

/** The package of an import. @param {string} id */
const packageOf = (id) =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/')

const IMPORT =
  /(?:^|[;\n}])\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^import\s*['"]([^'"]+)['"]/gm

/** Checks that no file imports an undeclared package: on our machines, hoisting hides that. */
async function onlyDeclared() {
  let seen = 0
  const wrong = [...tarballs.keys()].flatMap((name) => {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(name)
    const declared = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })])
    const dist = at('node_modules', name, 'dist')
    return readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js') && !file.startsWith('workers'))
      .flatMap((file) => {
        const text = readFileSync(join(dist, file), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
        const ids = [...text.matchAll(IMPORT)].map((found) => found[1] ?? found[2] ?? found[3] ?? '')
        const bare = ids.filter((id) => id !== '' && !/^[.#]/.test(id) && !isBuiltin(id))
        seen += bare.length
        return bare.filter((id) => !declared.has(packageOf(id))).map((id) => `${name}: ${file} imports ${id}`)
      })
  })
  if (seen === 0) throw new Error('No import of any package was found.')
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

/** All entries and the TypeScript examples, and one call that must be refused, so that no type silently becomes `any`. */
async function typesCheck() {
  const folder = site('types')
  const entries = [...tarballs.keys()].flatMap((name) => {
    const { exports = {} } = manifestOf(name)
    return Object.entries(exports)
      .filter(([, target]) => typeof target !== 'string')
      .map(([path]) => `import '${name}${path.slice(1)}'`)
  })
  writeFileSync(
    join(folder, 'entries.ts'),
    `${entries.join('\n')}
import { createEnclave } from '@keyhole/enclave'
const enclave = await createEnclave()
// @ts-expect-error: no function has this name.
await enclave.call('no_such_function')`,
  )
  writeFileSync(join(folder, 'vault.ts'), exampleOf('vault'))
  writeFileSync(join(folder, 'connect.ts'), exampleOf('connect'))
  writeFileSync(join(folder, 'react.tsx'), exampleOf('vault-react'))
  for (const version of ['5.7', '5.9', '6', '']) {
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const options = [
        '--strict',
        '--noEmit',
        '--target',
        'es2023',
        '--lib',
        'es2023,dom,dom.iterable,dom.asynciterable',
      ]
      const how = [
        '--module',
        module,
        '--moduleResolution',
        resolution,
        '--types',
        'node',
        '--jsx',
        'react-jsx',
      ]
      const files = ['entries.ts', 'vault.ts', 'connect.ts', 'react.tsx']
      const tsc = at(`node_modules/typescript${version}/bin/tsc`)
      await run(process.execPath, [tsc, ...options, ...how, ...files], folder)
    }
  }
}

/** @type {Record<string, (name: string) => Promise<void>>} */
export const manifests = {
  publint: linted,
  'Are the types wrong': typesResolve,
  'declared dependencies': onlyDeclared,
  'TypeScript 5.7, 5.9, 6 and 7': typesCheck,
}
