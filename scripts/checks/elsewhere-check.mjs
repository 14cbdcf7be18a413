// Packs the packages and installs the tarballs in a new folder, as someone would who has nothing else of this repository. Runs the first
// example of each README there exactly as printed, in every runtime and bundler that the READMEs name, and checks each package's
// declarations. Usage: node scripts/checks/elsewhere-check.mjs [name …]; needs the packages built, a browser, and the package registry.
import { rmSync } from 'node:fs'
import { bundlers } from './elsewhere/bundlers.mjs'
import { grants } from './elsewhere/grants.mjs'
import { manifests } from './elsewhere/manifests.mjs'
import { next } from './elsewhere/next.mjs'
import { at, install } from './elsewhere/project.mjs'
import { runtimes } from './elsewhere/runtimes.mjs'
import { services } from './elsewhere/services.mjs'

/** How many run at a time. Each mostly waits for a browser, a download or a thread. */
const LANES = 2

const wanted = process.argv.slice(2)
const environments = Object.entries({
  ...next,
  ...manifests,
  ...runtimes,
  ...bundlers,
  ...services,
  ...grants,
}).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const began = Date.now()
const since = (/** @type {number} */ then) => `${Math.round((Date.now() - then) / 1000)} s`
let failed = 0

async function lane() {
  for (let next = environments.shift(); next; next = environments.shift()) {
    const [name, works] = next
    const then = Date.now()
    try {
      await works(name)
      console.log(`elsewhere: ${name}: works (${since(then)})`)
    } catch (error) {
      failed += 1
      console.error(`elsewhere: ${name}: does not work: ${error instanceof Error ? error.message : error}`)
    }
  }
}

if (environments.length === 0) throw new Error(`There is nothing of the name ${wanted.join(', ')}.`)
try {
  await install()
  console.log(`elsewhere: packed and installed (${since(began)})`)
  await Promise.all(Array.from({ length: LANES }, lane))
} finally {
  rmSync(at(), { recursive: true, force: true })
}
console.log(`elsewhere: all of it took ${since(began)}`)
process.exitCode = failed === 0 ? 0 : 1
