// Checks that the client's English is easy to read: no sentence is above a school grade (Flesch–Kincaid).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../suites.mjs'

/** The grade that no sentence should be above. */
const MOST = 8
/** The formula is for prose: in a label of a few words, one long word decides. */
const FEWEST = 6
/** Names that have no shorter word, counted as a reader who met them once reads them: the glossary explains them. */
const KNOWN = new Map(
  Object.entries({
    passphrase: 2,
    passkey: 2,
    keyhole: 2,
    recovery: 3,
    authorisation: 3,
    did: 1,
    json: 2,
    url: 1,
  }),
)

/** A message as it is read: one form of a plural, without elements. @param {string} message */
function asRead(message) {
  let text = message.replaceAll(/<\/?\d+\/?>/g, '')
  for (;;) {
    const next = text.replace(
      /\{\w+, (?:plural|select)(?:ordinal)?,(?: offset:\d+)?[^{}]*(?:\{(?:[^{}]|\{[^{}]*\})*\}[^{}]*)*?other \{((?:[^{}]|\{[^{}]*\})*)\}\s*\}/,
      '$1',
    )
    if (next === text) break
    text = next
  }
  return text.replaceAll(/\{[^{}]*\}/g, 'it').replaceAll('#', '2')
}

/** @param {string} word */
function syllables(word) {
  const plain = word.toLowerCase().replaceAll(/[^a-z]/g, '')
  const known = KNOWN.get(plain)
  if (known !== undefined) return known
  if (plain.length <= 3) return 1
  const spoken = plain.replace(/(?:[^laeiouy]es|[^td]ed|[^laeiouy]e)$/, '').replace(/^y/, '')
  return Math.max(1, spoken.match(/[aeiouy]{1,2}/g)?.length ?? 0)
}

/** @param {string} sentence */
function grade(sentence) {
  const words = sentence.split(/[\s–—/]+/).filter((word) => /[a-z]/i.test(word))
  if (words.length < FEWEST) return undefined
  const spoken = words.reduce((sum, word) => sum + syllables(word), 0)
  return 0.39 * words.length + 11.8 * (spoken / words.length) - 15.59
}

const messages = new Set()
const folder = join(root, 'apps/web/src/locales/de')
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.po')) continue
  const text = readFileSync(join(folder, file), 'utf8')
  for (const [, message] of text.matchAll(/^msgid "(.+)"$/gm)) messages.add(message)
}
const graded = [...messages]
  .flatMap((message) => asRead(message).split(/(?<=[.!?])\s+/))
  .flatMap((sentence) => {
    const of = grade(sentence)
    return of === undefined ? [] : [{ sentence, of }]
  })
  .sort((a, b) => b.of - a.of)
const hard = graded.filter(({ of }) => of > MOST)
const mean = graded.reduce((sum, { of }) => sum + of, 0) / graded.length
for (const { sentence, of } of hard) console.log(`${of.toFixed(1)}  ${sentence}`)
console.log(
  `${graded.length} sentences of ${FEWEST} words or more, of grade ${mean.toFixed(1)} on average; ${hard.length} above grade ${MOST}.`,
)
if (hard.length > 0) {
  console.error('Say these in shorter words, or in two sentences (docs/words.md).')
  process.exitCode = 1
}
