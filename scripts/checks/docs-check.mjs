// Every file that a document names exists. Decisions are dated and stay as they were written.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { root } from '../suites.mjs'

/** Abbreviations that a document explains at its start. */
const SHORTENED = {
  'docs/seed-coverage.md': {
    'enclave/': 'packages/enclave/src/',
    'vault/': 'packages/vault/src/',
    'react/': 'packages/vault-react/src/',
    'web/': 'apps/web/src/',
    'e2e/': 'apps/web/e2e/',
    'plugin/': 'crates/enclave/',
  },
}
const NAMED = /`([\w.@-]+(?:\/[\w.@-]+)+\.(?:tsx?|m?js|rs|json|css|md))`/g

const { stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
const files = stdout.split('\n').filter((path) => path !== '')
const known = new Set(files)
const documents = files.filter((path) => path.endsWith('.md') && !path.startsWith('docs/decisions/'))

/** @param {string} document @param {string} path @returns {boolean} */
function isThere(document, path) {
  if (known.has(path) || known.has(posix.join(dirname(document), path))) return true
  for (const [short, long] of Object.entries(SHORTENED[document] ?? {})) {
    if (path.startsWith(short)) return known.has(long + path.slice(short.length))
  }
  // A path within the part that the sentence is about. Built files aren't in the repository.
  return path.includes('dist/') || files.some((file) => file.endsWith(`/${path}`))
}

let count = 0
const wrong = documents.flatMap((document) => {
  const named = [...readFileSync(join(root, document), 'utf8').matchAll(NAMED)].map(([, path = '']) => path)
  count += named.length
  return [...new Set(named)].filter((path) => !isThere(document, path)).map((path) => `${document}: ${path}`)
})
if (count === 0) wrong.push('no document names a file at all')
for (const line of wrong) console.log(`${line} is not there`)
if (wrong.length > 0) process.exitCode = 1
else console.log(`All ${count} places in documents that name a file name one that exists.`)
