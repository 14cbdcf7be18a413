import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { beginningFile, LANGUAGE_TAGS, preferredLanguage, SOURCE_LANGUAGE } from './languages.js'

const partsOf = (language: string) =>
  readdirSync(new URL(`${language}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.po'))
    .sort()

it('there is a whole catalogue of every language but the one of the code, and of none that is not in the table', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  )
  const translated = LANGUAGE_TAGS.filter((each) => each !== SOURCE_LANGUAGE)
  expect(folders.map(({ name }) => name).sort()).toEqual([...translated].sort())
  for (const language of translated) expect(partsOf(language)).toEqual(partsOf('de'))
})

it.each([
  [['de-AT', 'en'], 'de'],
  [['tlh', 'DE;q=0.8'], 'de'],
  [['EN-us', 'de'], 'en'],
  [['den', ''], 'en'],
  [['constructor', 'tlh'], 'en'],
  [[], 'en'],
] as const)('of %j the first that there is: %s', (tags, language) => {
  expect(preferredLanguage(tags)).toBe(language)
})

it('a page begins in a file of its language', () => {
  expect(beginningFile('index', 'en')).toBe('index.html')
  expect(beginningFile('demo-app', 'de')).toBe('demo-app.de.html')
})
