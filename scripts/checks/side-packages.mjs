// Packages that none of ours depends on, in a folder with its own lockfile. They are installed when needed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const digestOf = (folder) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')

/** Records which lockfile they were installed from. @param {string} folder */
const mark = (folder) => join(folder, 'node_modules/.installed')

/** @param {string} folder @returns {boolean} Whether they are installed and match the lockfile. */
export function areInstalled(folder) {
  try {
    return readFileSync(mark(folder), 'utf8') === digestOf(folder)
  } catch {
    return false
  }
}

/** @param {string} folder @returns {boolean} Whether they are installed now. */
export function installIn(folder) {
  if (areInstalled(folder)) return true
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status === 0) writeFileSync(mark(folder), digestOf(folder))
  return status === 0
}
