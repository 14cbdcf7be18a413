// Proves that the linter holds the import boundaries: writes files that break them into a folder of the same shape, and expects
// each forbidden import to be refused and each allowed one to pass.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './suites.mjs'

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
  'packages/connect/src/x.ts': {
    refused: ['@keyhole/vault', '@keyhole/enclave', '../../vault/src/index.ts', 'react'],
    allowed: ['./request.ts'],
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
  'apps/web/src/lib/x.ts': {
    refused: ['@extism/extism', 'dexie', '../../../../packages/vault/src/index.ts'],
    allowed: ['@keyhole/vault-react', '../router.tsx'],
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
  // One import a line, so that a finding's line tells which it is about.
  writeFileSync(join(folder, path), [...refused, ...allowed].map((name) => `import '${name}'\n`).join(''))
}

// In that folder and with its own configuration: the paths in the rules count from there.
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
for (const line of wrong) console.log(line)
if (wrong.length > 0) process.exitCode = 1
else console.log('Every forbidden import is caught, and no other.')
