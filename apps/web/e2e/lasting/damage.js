// Damages the files of a profile between two launches of its browser.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where Chromium stores what pages write. */
export const STORES = {
  IndexedDB: join('Default', 'IndexedDB'),
  // The origin private file system (OPFS).
  mirror: join('Default', 'File System'),
  localStorage: join('Default', 'Local Storage'),
}

/** Every file below a folder. @param {string} folder @returns {string[]} */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

/** Meaningless bytes, the same each time. @param {number} length */
function noise(length) {
  let state = 2_654_435_761
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      return state & 255
    }),
  )
}

/** Ways to damage the files of a store while the browser is closed. */
export const DAMAGES = {
  /** @param {string} folder */
  'was overwritten': (folder) => {
    for (const path of filesOf(folder)) writeFileSync(path, noise(Math.max(1, statSync(path).size)))
  },
  /** @param {string} folder */
  'was truncated': (folder) => {
    for (const path of filesOf(folder)) truncateSync(path, Math.floor(statSync(path).size / 3))
  },
  /** @param {string} folder */
  'lost its manifest': (folder) => {
    const manifests = filesOf(folder).filter((path) => /[\\/]MANIFEST-\d+$/.test(path))
    if (manifests.length === 0) throw new Error(`${folder} has no manifest`)
    for (const path of manifests) writeFileSync(path, noise(statSync(path).size))
  },
  /** @param {string} folder */
  'was deleted': (folder) => {
    rmSync(folder, { recursive: true })
  },
}

/**
 * @param {string} profile of a browser that is closed
 * @param {keyof typeof STORES} store
 * @param {keyof typeof DAMAGES} damage
 */
export function damage(profile, store, damage) {
  const folder = join(profile, STORES[store])
  if (!existsSync(folder)) throw new Error(`The profile has no ${store}`)
  DAMAGES[damage](folder)
}

/** Whether any file of a store contains a text. @param {string} profile @param {keyof typeof STORES} store @param {string} text */
export function holds(profile, store, text) {
  const folder = join(profile, STORES[store])
  return existsSync(folder) && filesOf(folder).some((path) => readFileSync(path).includes(text))
}

/** Makes every database point to a missing manifest. Such a database fails each time it is opened. @param {string} profile */
export function misleadDatabases(profile) {
  const found = filesOf(join(profile, STORES.IndexedDB)).filter((path) => /[\\/]CURRENT$/.test(path))
  if (found.length === 0) throw new Error('The profile has no IndexedDB')
  for (const path of found) writeFileSync(path, 'MANIFEST-999999\n')
}
