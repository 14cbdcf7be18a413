// Checks how Keyhole speaks, as far as a program can: no message, no sentence that a package or the command says, and no document uses
// the words that we avoid, and no message is longer than 140 characters without a reason in words-reasons.json.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from '../suites.mjs'
import { walk } from './refusal-texts.mjs'

const LONGEST = 140

/** Words that read like a translation, and what to write instead. */
const AVOIDED = [
  [/\banew\b/i, 'again'],
  [/\bwho(?:m?)ever\b/i, 'the person who, anyone who, the holder'],
  [/\bnobody\b/i, 'no one, or say who'],
  [/\bit holds(?=[.,:;!]|$| for\b| at\b| where\b| until\b)/i, 'it’s valid'],
  [/\bby itself\b/i, 'automatically, on its own'],
  [/\bof its own\b/i, 'its own, separate'],
  [/\bat hand\b/i, 'ready, near'],
  [/\bbeneath\b/i, 'below'],
  [/\bfor good and all\b/i, 'for good'],
  [/\bmake use of\b/i, 'use'],
  [/\bhas no way to\b/i, 'can’t'],
  [/\bthe same again\b/i, 'confirm'],
  [/\bout there\b/i, 'active'],
  [/\b(?:as it|what|it|that|this|which|and|then) stands\b/i, 'is'],
  [/\b(?:this|that|it|which|text|[”"]) is no (?!longer\b|more\b|less\b|better\b|worse\b)/i, 'isn’t a'],
  [/\b(?:is|are) to be \w+ed\b/i, 'must be, or say who does it'],
  [/\b(?:is|are) (?:it|they|this) to be\b/i, 'should it be'],
  [/\bit (?:does not|doesn[’']t) hold\b/i, 'it isn’t valid'],
  [/\bcontainer of tokens\b/i, 'token'],
  [/\bwants\b/i, 'asks for, needs'],
]

/** Words that a person reads another one for on every other screen. Documents and packages may need them. */
const ON_SCREEN = [
  [/\blogs?\b(?!, history)/i, 'activity'],
  [/\bnever ends\b|\b(?:ends|ended) (?:in |on )?…/i, 'expires, expired'],
  [/\bma(?:kes?|king|de) (?:a|the|another) vault\b/i, 'create'],
  [/\bverify and keep\b|\btak(?:es?|en|ing) in\b/i, 'add, check and add'],
  [/\bseal(?:s|ed|ing)?\b/i, 'encrypt'],
  [
    /\b(?:the|that|other|same|an?|new) account\b(?!’s address| its address| a name|\?)|\banother account\b|\baccounts\b(?!, )|\bthis account\b(?!$)|\baccount (?:opened|removed|restored)|\bno account is\b/i,
    'vault, unless it is the identity: its name or its address',
  ],
  [/\byou (?:don[’']t )?hold\b|\bgiven to you\b|\bgave you something\b/i, 'received'],
  [
    /\b(?:writ(?:e|es|ing|ten)|wrote|ma(?:ke|kes|king|de)|sav(?:e|es|ing)) (?:(?:an?|the|this|another|your|new) )*(?:encrypted )?backup|\bbackup(?: file)? (?:was )?(?:written|made|saved)|\bfile was (?:written|saved)|\bma(?:ke|kes|king|de) (?:(?:an?|the|another|your|new) )*(?:recovery )?code\b|\b(?:make|write) (?:a new )?one\b(?! if| here| that names)|\bbackups that you (?:make|write|save)\b/i,
    'create',
  ],
  [/\bcode is kept\b/i, 'saved'],
  [/\bwithout (?:an )?end\b|\bforever\b/i, 'never expires, with no expiry date'],
]
/** The demo's functions have their own names in its sentences. */
const FUNCTIONS = 'apps/web/src/locales/de/pages/demo.po'

/**
 * Documents that this check doesn't read: decisions and results are dated and stay as they are, docs/words.md quotes the words, and the
 * rest isn't in plain words yet.
 */
const UNREAD = /^(?:docs\/(?:decisions\/|(?:plan|words)\.md$)|bench\/results\/|crates\/)/

/** @typedef {{place: string, text: string}} Said */

/** @param {string} quoted A line of a catalogue. @returns {string} */
function unquoted(quoted) {
  return quoted
    .split('\n')
    .map((line) => JSON.parse(line.slice(line.indexOf('"'))))
    .join('')
}

/** @param {string} pattern @returns {string[]} */
function tracked(pattern) {
  const { stdout } = spawnSync('git', ['ls-files', pattern], { cwd: root, encoding: 'utf8' })
  return stdout.split('\n').filter((path) => path !== '')
}

/** @returns {Said[]} The client's messages in English, from one language's catalogues: all have the same ones. */
function messages() {
  return tracked('apps/web/src/locales/de/**.po').flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split(/\n\n+/)
      .flatMap((entry) => {
        const [, id] = /^msgid (.*(?:\n".*)*)/m.exec(entry) ?? []
        return id === undefined || id === '""' ? [] : [{ place: path, text: unquoted(id) }]
      }),
  )
}

/** @returns {Said[]} What packages and the command say in English: texts in their sources with at least four words. */
function sentences() {
  return tracked('packages/*/src/**.ts')
    .filter((path) => !/\/test\/|\.(?:test|contract)\.ts$/.test(path))
    .flatMap((place) => {
      /** @type {Said[]} */
      const found = []
      walk(parseSync(place, readFileSync(join(root, place), 'utf8')).program, ({ type, value, quasis }) => {
        const isText = type === 'Literal' && typeof value === 'string'
        const parts =
          type === 'TemplateLiteral' ? quasis.map((each) => each.value.cooked) : isText ? [value] : []
        const text = parts.join('…')
        if (/\w+ \S+ \S+ \S/.test(text)) found.push({ place, text })
      })
      return found
    })
}

/** @param {string} text A message in ICU's format. @returns {number} The characters of its longest form. */
function length(text) {
  const forms = [...text.matchAll(/(?:=\d+|zero|one|two|few|many|other) \{((?:[^{}]|\{[^{}]*\})*)\}/g)]
  if (forms.length === 0) return text.replace(/<\/?\d+\/?>/g, '').length
  const around = text.replace(
    /\{\w+, (?:plural|select|selectordinal),(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g,
    '',
  )
  return around.length + Math.max(...forms.map(([, form = '']) => form.length))
}

/** @param {string} text A document in Markdown. @returns {string[]} Its paragraphs, without code, link targets and titles of tests. */
function paragraphs(text) {
  return text
    .replace(/^( *)```.*\n(?:.*\n)*?\1```$/gm, '')
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .replace(/ › .*/g, '')
        .replace(/`[^`]*`/g, '…')
        .replace(/\]\([^)]*\)/g, ']')
        .replace(/\s+/g, ' '),
    )
}

const documents = tracked('*.md').filter((path) => !UNREAD.test(path))
const reasons = JSON.parse(readFileSync(join(import.meta.dirname, 'words-reasons.json'), 'utf8'))
const said = messages()
const spoken = sentences()
const written = documents.flatMap((place) =>
  paragraphs(readFileSync(join(root, place), 'utf8')).map((text) => ({ place, text })),
)
/** @param {Said[]} texts @param {(RegExp | string)[][]} words @returns {string[]} Where they use one of these words. */
const using = (texts, words) =>
  texts.flatMap(({ place, text }) =>
    words.flatMap(([pattern, instead]) => {
      const found = /** @type {RegExp} */ (pattern).exec(text.replace(/\{\w+\}/g, '…'))
      return found === null
        ? []
        : [
            `${place}: “${text.slice(Math.max(0, found.index - 30), found.index + 40).replace(/\s+/g, ' ')}”: ${instead}`,
          ]
    }),
  )
const avoided = [
  ...using([...said, ...spoken, ...written], AVOIDED),
  ...using(
    said.filter(({ place }) => place !== FUNCTIONS),
    ON_SCREEN,
  ),
]
const long = said.filter(({ text }) => length(text) > LONGEST)
const unexplained = long
  .filter(({ text }) => !Object.hasOwn(reasons, text))
  .map(({ place, text }) => `${place}: ${length(text)} characters: ${text}`)
const unused = Object.keys(reasons)
  .filter((text) => !long.some((each) => each.text === text))
  .map((text) => `words-reasons.json: no message of more than ${LONGEST} characters is: ${text}`)

for (const wrong of [...avoided, ...unexplained, ...unused]) console.error(wrong)
if (avoided.length + unexplained.length + unused.length > 0) process.exit(1)
console.log(
  `${said.length} messages, ${spoken.length} sentences of packages and ${documents.length} documents use our words; ${long.length} messages are long, each for a reason.`,
)
