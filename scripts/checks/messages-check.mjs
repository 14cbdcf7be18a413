// Checks that the catalogues match the code: extracting messages changes none of them, and every message is translated. Restores what
// extraction wrote, so that this check changes nothing.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../suites.mjs'

const folder = join(root, 'apps/web/src/locales')

/** @returns {Map<string, string>} The catalogues, by path. */
function catalogues() {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.po'),
  )
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** @param {string} text @returns {string[]} A catalogue's messages without a translation. */
function untranslated(text) {
  return text.split(/\n\n+/).flatMap((entry) => {
    const [, id = ''] = /^msgid (.*(?:\n".*)*)/m.exec(entry) ?? []
    const isHeader = id === '""'
    return !isHeader && /^msgstr ""$(?!\n")/m.test(entry) ? [id] : []
  })
}

/**
 * A language's catalogues are merged by the build, and the last translation wins: a text about a code could then appear for a backup.
 * @param {Map<string, string>} texts @returns {string[]} The messages with more than one translation.
 */
function ambiguous(texts) {
  /** @type {Map<string, Set<string>>} */
  const translations = new Map()
  for (const [name, text] of texts) {
    const [language] = name.split(/[\\/]/)
    for (const entry of text.split(/\n\n+/)) {
      const [, id, translated] =
        /^((?:msgctxt .*\n)?msgid .*(?:\n".*)*)\nmsgstr (.*(?:\n".*)*)/m.exec(entry) ?? []
      if (id === undefined || translated === undefined || id.endsWith('msgid ""')) continue
      const key = `${language}: ${id}`
      translations.set(key, (translations.get(key) ?? new Set()).add(translated))
    }
  }
  return [...translations].filter(([, said]) => said.size > 1).map(([id]) => id)
}

const before = catalogues()
const { status, stdout, stderr } = spawnSync('npm', ['run', 'messages', '-w', '@keyhole/web'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const after = catalogues()
for (const [name, text] of before) writeFileSync(join(folder, name), text)
for (const name of after.keys()) if (!before.has(name)) rmSync(join(folder, name))

const stale = [...new Set([...before.keys(), ...after.keys()])].filter(
  (name) => before.get(name) !== after.get(name),
)
const missing = [...after].flatMap(([name, text]) => untranslated(text).map((id) => `${name}: ${id}`))
const several = ambiguous(after)
if (status !== 0) console.error(`The messages could not be extracted.\n${stdout}${stderr}`)
for (const name of stale) console.error(`${name} is not what the code says: run npm run messages.`)
for (const line of missing) console.error(`Not translated: ${line}`)
for (const id of several) console.error(`Translated in more than one way: ${id}`)
if (status !== 0 || stale.length > 0 || missing.length > 0 || several.length > 0) process.exitCode = 1
else console.log(`${after.size} catalogues are up to date, and nothing in them is missing.`)
