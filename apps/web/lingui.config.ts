import { readdirSync, readFileSync } from 'node:fs'
import type { LinguiConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { SOURCE_LANGUAGE, TRANSLATED_TAGS } from './src/locales/languages.js'

/** Whether a folder has texts. A folder without any gets no catalogue. */
function speaks(folder: URL): boolean {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .some((name) => readFileSync(new URL(name, folder), 'utf8').includes("/macro'"))
}

const foldersIn = (layer: string) =>
  readdirSync(new URL(`src/${layer}/`, import.meta.url), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => `${layer}/${name}`)
    .filter((folder) => speaks(new URL(`src/${folder}/`, import.meta.url)))
    .sort()

/** One catalogue per page, feature and shared folder, so that a change in one touches one translation file. */
const PARTS = ['app', ...['pages', 'features', 'shared'].flatMap(foldersIn)]

const config: LinguiConfig = {
  sourceLocale: SOURCE_LANGUAGE,
  locales: TRANSLATED_TAGS,
  // No line numbers and no times, so that a catalogue changes only when a text does.
  format: formatter({ lineNumbers: false, origins: true }),
  orderBy: 'message',
  catalogs: PARTS.map((part) => ({
    path: `<rootDir>/src/locales/{locale}/${part}`,
    include: [`<rootDir>/src/${part}`],
  })),
}

export default config
