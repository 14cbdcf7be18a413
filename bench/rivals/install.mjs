// The rivals, and the other implementations that we are tried with, are no dependency of anything that we give away, and some of them want a
// newer Node than we do: so they have a package of their own, which is installed when it is needed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..')
const LOCKFILE = join(FOLDER, 'package-lock.json')
/** Says of which lockfile they are. */
const INSTALLED = join(FOLDER, 'node_modules/.installed')

const digestOf = () => createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')

/** @returns {boolean} Whether they are there, and those of the lockfile. */
export function areRivalsInstalled() {
  try {
    return readFileSync(INSTALLED, 'utf8') === digestOf()
  } catch {
    return false
  }
}

/** @returns {boolean} Whether they are there now. */
export function installRivals() {
  if (areRivalsInstalled()) return true
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: FOLDER,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status === 0) writeFileSync(INSTALLED, digestOf())
  return status === 0
}
