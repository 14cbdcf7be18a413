// Proves that the linter enforces the import boundaries: writes files that break them into a folder of the same shape, and expects each
// forbidden import to be refused and each allowed one to pass. Then does the same for the layers of apps/web, and checks its real files.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../suites.mjs'
import { usesOf } from './crate-modules.mjs'
import { circles, crowded, importsOf, SOURCES, wrongWays } from './web-layers.mjs'

/** What a file may not import, and what it may. */
const CASES = {
  'packages/enclave/src/x.ts': {
    refused: ['@keyhole/vault', '@keyhole/vault-react', '../../vault/src/index.ts', 'dexie', 'react'],
    allowed: ['@extism/extism', './loader.ts'],
  },
  'packages/vault/src/x.ts': {
    refused: ['@keyhole/vault-react', '@extism/extism', '../../enclave/src/rpc.ts', 'dexie', 'react'],
    allowed: ['@keyhole/enclave', './storage.ts'],
  },
  'packages/vault/src/storage/account/account-storage.ts': {
    refused: ['@keyhole/vault-react', '@extism/extism', 'react'],
    allowed: ['dexie', '@keyhole/enclave'],
  },
  'packages/vault-react/src/x.tsx': {
    refused: ['@keyhole/enclave', '@extism/extism', '../../vault/src/index.ts', 'dexie'],
    allowed: ['@keyhole/vault', 'react'],
  },
  'packages/holder/src/x.ts': {
    refused: [
      '@keyhole/enclave',
      '@keyhole/vault',
      '@keyhole/connect',
      '../../enclave/src/index.ts',
      'react',
    ],
    allowed: ['./holder.ts', '../../enclave/src/test/naive-tokens.ts'],
  },
  'packages/connect/src/x.ts': {
    refused: [
      '@keyhole/vault',
      '@keyhole/enclave',
      '../../vault/src/index.ts',
      '../../holder/src/index.ts',
      'react',
    ],
    allowed: ['./request.ts', '@keyhole/holder', '../../enclave/src/test/naive-tokens.ts'],
  },
  'packages/relay/src/x.ts': {
    refused: [
      '@keyhole/vault',
      '@keyhole/connect',
      '../../enclave/src/index.ts',
      '../../holder/src/index.ts',
      'react',
    ],
    allowed: [
      './relay.ts',
      '@keyhole/enclave',
      '../../enclave/src/test/naive-tokens.ts',
      '../../holder/src/test/relay-double.ts',
    ],
  },
  'packages/verify/src/x.ts': {
    refused: [
      '@keyhole/vault',
      '@keyhole/connect',
      '../../enclave/src/index.ts',
      '../../relay/src/index.ts',
      'react',
    ],
    allowed: ['./verifier.ts', '@keyhole/enclave', '../../enclave/src/test/naive-tokens.ts'],
  },
  'packages/gate/src/x.ts': {
    refused: [
      '@keyhole/vault',
      '@keyhole/connect',
      '@keyhole/relay',
      'keyhole',
      '../../verify/src/index.ts',
      '../../holder/src/index.ts',
    ],
    allowed: [
      './gate.ts',
      '@keyhole/verify',
      '@keyhole/holder',
      '@keyhole/enclave',
      '../../enclave/src/test/naive-tokens.ts',
    ],
  },
  'packages/cli/src/x.ts': {
    refused: ['@keyhole/vault', '@keyhole/verify', '../../gate/src/index.ts'],
    allowed: [
      './cli.ts',
      '@keyhole/relay',
      '@keyhole/gate',
      '@keyhole/holder',
      '@keyhole/enclave',
      '../../enclave/src/test/naive-tokens.ts',
    ],
  },
  'examples/verify-server/x.js': {
    refused: [
      '@keyhole/vault',
      '@keyhole/vault-react',
      '@extism/extism',
      '../../packages/enclave/src/index.ts',
    ],
    allowed: ['@keyhole/enclave', './server.js'],
  },
  'apps/web/src/shared/vault/x.ts': {
    refused: ['@extism/extism', 'dexie', '../../../../packages/vault/src/index.ts'],
    allowed: ['@keyhole/vault-react', './y.ts'],
  },
  'apps/web/src/sw/x.ts': {
    refused: ['@keyhole/vault', '@keyhole/enclave', '@keyhole/vault-react', 'dexie'],
    allowed: ['./cache.ts'],
  },
}

const RULE = 'lint/style/noRestrictedImports'
const folder = mkdtempSync(join(tmpdir(), 'keyhole-boundaries-'))

const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
writeFileSync(
  join(folder, 'biome.json'),
  JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }),
)
for (const [path, { refused, allowed }] of Object.entries(CASES)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  // One import per line, so that a finding's line identifies it.
  writeFileSync(join(folder, path), [...refused, ...allowed].map((name) => `import '${name}'\n`).join(''))
}

// Run it in that folder with its own configuration, because the rules' paths are relative to it.
const { stdout, stderr } = spawnSync(
  process.execPath,
  [
    createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome'),
    'lint',
    '--reporter=github',
    '--max-diagnostics=none',
    '.',
  ],
  { cwd: folder, encoding: 'utf8' },
)
rmSync(folder, { recursive: true, force: true })

const found = [...`${stdout}${stderr}`.matchAll(/title=(\S+?),file=([^,]+),line=(\d+)/g)]
  .filter(([, rule]) => rule === RULE)
  .map(([, , path = '', line]) => `${path.replaceAll('\\', '/')}:${line}`)
const caught = (path, line) => found.some((place) => place.endsWith(`${path}:${line}`))

const wrong = Object.entries(CASES).flatMap(([path, { refused, allowed }]) =>
  [...refused, ...allowed].flatMap((name, index) => {
    const expected = index < refused.length
    if (caught(path, index + 1) === expected) return []
    return [`${path}: importing ${name} is ${expected ? 'let through' : 'refused'}`]
  }),
)
/** What a file of the client may not import, and what it may. */
const LAYER_CASES = {
  'app/layout/x.tsx': {
    refused: [
      '../../test/german.ts',
      '../../sw/sw.ts',
      '../../../build/finish.ts',
      '../../../e2e/fixtures.ts',
    ],
    allowed: [
      '../router/router.tsx',
      '../../pages/home/home-page.tsx',
      '../../features/grants/grant-form.tsx',
      '../../shared/ui/cx.ts',
      '../../server/headers.js',
    ],
  },
  'pages/home/dashboard/x.tsx': {
    refused: [
      '../../../app/layout/layout.tsx',
      '../../demo/demo-page.tsx',
      '../../../server/headers.js',
      '../../../test/german.ts',
    ],
    allowed: [
      '../home-page.tsx',
      '../timeline/search.ts',
      '../../../features/grants/grant-form.tsx',
      '../../../shared/ui/cx.ts',
      '../../../locales/languages.js',
    ],
  },
  'features/grants/x.tsx': {
    refused: [
      '../keys/keys-tab.tsx',
      '../../pages/identity/grants-tab.tsx',
      '../../app/layout/layout.tsx',
      '../../server/headers.js',
      '../../sw/sw.ts',
    ],
    allowed: ['./grant-form.tsx', './deeper/y.ts', '../../shared/ui/cx.ts', '../../locales/languages.js'],
  },
  'shared/words/x.ts': {
    refused: [
      '../../features/grants/grant-form.tsx',
      '../../pages/home/home-page.tsx',
      '../../app/layout/layout.tsx',
      '../../server/headers.js',
    ],
    allowed: ['./who.ts', '../text/visible.ts', '../../locales/languages.js'],
  },
  'shared/words/x.test.ts': {
    refused: ['../../features/grants/grant-form.tsx'],
    allowed: ['./who.ts', '../../test/german.ts'],
  },
  'sw/x.ts': { refused: ['../shared/vault/hosts-meta.js'], allowed: ['./sw.ts', '../locales/languages.js'] },
  'elsewhere/x.ts': { refused: ['../shared/ui/cx.ts', '../app/layout/layout.tsx'], allowed: ['./y.ts'] },
}

/** Every way in which one file can import another. */
const WAYS = [
  (name) => `import { a } from '${name}'`,
  (name) => `import type { A } from '${name}'`,
  (name) => `import { type A } from '${name}'`,
  (name) => `import '${name}'`,
  (name) => `import address from '${name}?worker&url'`,
  (name) => `export { a } from '${name}'`,
  (name) => `export type { A } from '${name}'`,
  (name) => `export * from '${name}'`,
  (name) => `export const later = () => import('${name}')`,
  (name) => `export type A = import('${name}').A`,
  (name) => `export const address = new URL('${name}', import.meta.url)`,
]

for (const [path, { refused, allowed }] of Object.entries(LAYER_CASES)) {
  const from = `${SOURCES}/${path}`
  for (const [index, name] of [...refused, ...allowed].entries()) {
    for (const way of WAYS) {
      const expected = index < refused.length ? 1 : 0
      if (wrongWays(importsOf(new Map([[from, way(name)]]))).length === expected) continue
      wrong.push(`${from}: ${way(name)} is ${expected ? 'let through' : 'refused'}`)
    }
  }
}

/** Files that import each other, and whether that is a cycle. */
const CIRCLE_CASES = [
  { files: { 'a/x.ts': "import './y.ts'", 'a/y.ts': "export type A = import('./x.ts').A" }, isCircle: true },
  {
    files: { 'a/x.ts': "import './y.ts'", 'a/y.ts': "export const z = () => import('./x.ts')" },
    isCircle: true,
  },
  {
    files: {
      'a/x.ts': "import '../b/x.ts'",
      'b/x.ts': '',
      'b/y.ts': "import type { A } from '../a/y.ts'",
      'a/y.ts': '',
    },
    isCircle: true,
  },
  { files: { 'a/x.ts': "import './y'", 'a/y.ts': "import './x'" }, isCircle: true },
  { files: { 'a/x.ts': "import '../b/x.ts'", 'b/x.ts': "import './y.ts'", 'b/y.ts': '' }, isCircle: false },
  { files: { 'a/x.ts': "import './b/x.ts'", 'a/b/x.ts': "import '../y.ts'", 'a/y.ts': '' }, isCircle: false },
  {
    files: { 'a/x.ts': '', 'a/x.test.ts': "import '../b/x.ts'", 'b/x.ts': "import '../a/x.ts'" },
    isCircle: false,
  },
]
for (const { files, isCircle } of CIRCLE_CASES) {
  const found = circles(importsOf(new Map(Object.entries(files))))
  if (found.length > 0 !== isCircle)
    wrong.push(`${JSON.stringify(files)} is ${isCircle ? 'no circle' : found.join()}`)
}

const MODULE_CASES = [
  { files: { 'a.rs': 'use crate::b::B;', 'b.rs': 'use crate::a;' }, isCircle: true },
  {
    files: { 'a/x.rs': 'use crate::{b::y, c};', 'b/y.rs': 'fn f() { crate::a::z::g() }', 'a/z.rs': '' },
    isCircle: true,
  },
  { files: { 'a/mod.rs': 'use crate::b::B;', 'b.rs': 'use crate::a::A;' }, isCircle: true },
  { files: { 'a.rs': 'use crate::b::B;', 'b.rs': '/// [`crate::a`]\n// crate::a' }, isCircle: false },
  { files: { 'a.rs': 'use crate::b::B;', 'b.rs': '', 'b_test.rs': 'use crate::a;' }, isCircle: false },
]
for (const { files, isCircle } of MODULE_CASES) {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`src/${path}`, text]))
  if (circles(usesOf('src', texts)).length > 0 !== isCircle)
    wrong.push(`${JSON.stringify(files)} is ${isCircle ? 'no' : 'a'} circle`)
}

const named = (count) => Array.from({ length: count }, (_, at) => `a/${at}.ts`)
if (crowded(named(21)).length !== 1) wrong.push('A folder of 21 files is let through')
if (crowded([...named(20), 'a/0.test.ts', 'a/0_test.rs', 'b/0.ts']).length !== 0)
  wrong.push('A folder of 20 files is refused')

/** @param {string} folder @returns {string[]} The scripts below it. */
function scriptsBelow(folder) {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /(?<!\.d)\.(?:tsx?|js)$/.test(path))
}
const client = scriptsBelow(SOURCES)
const imports = importsOf(new Map(client.map((path) => [path, readFileSync(join(root, path), 'utf8')])))
wrong.push(...wrongWays(imports), ...circles(imports))

const names = ['enclave', 'vault', 'vault-react', 'holder', 'connect', 'relay', 'verify', 'gate', 'cli']
const packages = names.map((name) => scriptsBelow(`packages/${name}/src`))
for (const sources of packages) {
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  wrong.push(...circles(importsOf(texts)))
}

const crates = ['argon2id', 'codec', 'enclave', 'search', 'sync', 'ucan', 'vault'].map((name) => {
  const source = `crates/${name}/src`
  const names = readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
  const paths = names
    .map((file) => `${source}/${file.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.rs'))
  return usesOf(source, new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])))
})
for (const uses of crates) wrong.push(...circles(uses))

const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
const everySource = listed.stdout.split('\n').filter((path) => /\.(?:tsx?|m?js|rs)$/.test(path))
if (everySource.length === 0) wrong.push('No source was found')
wrong.push(...crowded(everySource))

for (const line of wrong) console.log(line)
if (wrong.length > 0) process.exitCode = 1
else
  console.log(
    `Every forbidden import is caught, and no other; ${client.length} files of the client are in their layers, and ${packages.flat().length} of the packages and ${crates.flatMap((uses) => [...uses.keys()]).length} of the crates in no circle.`,
  )
