import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { LANGUAGE_TAGS, type Language, SOURCE_LANGUAGE } from '../src/locales/languages.js'

const FOLDER = join(import.meta.dirname, '../src/locales')
const ALL = 'virtual:catalogues'
const ONE = 'virtual:catalogue/'

/** Loads each language when it's needed. English needs no catalogue: it's in the code. */
function readers(): string {
  const of = (language: Language) =>
    language === SOURCE_LANGUAGE
      ? '() => Promise.resolve({ messages: {} })'
      : `() => import(${JSON.stringify(ONE + language)})`
  return `export const CATALOGUES = { ${LANGUAGE_TAGS.map((each) => `${each}: ${of(each)}`).join(', ')} }`
}

/** Combines all parts of a language's catalogue into one script. */
function whole(language: string): string {
  const files = readdirSync(join(FOLDER, language), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.po'),
  )
  const imports = files.map(
    (name, at) => `import { messages as part${at} } from ${JSON.stringify(join(FOLDER, language, name))}`,
  )
  const parts = files.map((_, at) => `...part${at}`).join(', ')
  return [...imports, `export const messages = { ${parts} }`].join('\n')
}

/** Provides the message catalogues for the languages in the table. */
export function catalogues(): Plugin {
  return {
    name: 'keyhole:catalogues',
    resolveId: (id) => (id === ALL || id.startsWith(ONE) ? `\0${id}` : undefined),
    load: (id) =>
      id === `\0${ALL}`
        ? readers()
        : id.startsWith(`\0${ONE}`)
          ? whole(id.slice(`\0${ONE}`.length))
          : undefined,
  }
}
