// Every test that docs/threat-model.md names exists. A line there is `file` › title.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../suites.mjs'

const DOCUMENT = 'docs/threat-model.md'

/** @param {string} text */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * The titles of a file's tests as patterns, where a template's values may be anything.
 * @param {string} path
 * @param {string} source
 */
function titlesOf(path, source) {
  if (path.endsWith('.rs'))
    return [...source.matchAll(/\bfn (\w+)\s*\(/g)].map(([, name = '']) => literally(name))
  const calls = /\b(?:test|it)(?:\.each\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g
  return [...source.matchAll(calls)].map(([, quote, title = '']) => {
    const parts = quote === '`' ? title.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/) : [title]
    return parts.map((part) => literally(part.replace(/\\(.)/g, '$1'))).join('.+')
  })
}

const named = [...readFileSync(join(root, DOCUMENT), 'utf8').matchAll(/`([^`\n]+)` › (.+)/g)]
const wrong = named.flatMap(([, path = '', title = '']) => {
  if (!existsSync(join(root, path))) return [`${path} is not there`]
  const titles = titlesOf(path, readFileSync(join(root, path), 'utf8'))
  if (titles.some((pattern) => new RegExp(`^${pattern}$`).test(title.trim()))) return []
  return [`${path} has no test “${title.trim()}”`]
})
if (named.length === 0) wrong.push('no test is named at all')

for (const line of wrong) console.log(`${DOCUMENT}: ${line}`)
if (wrong.length > 0) process.exitCode = 1
else console.log(`${DOCUMENT}: all ${named.length} tests that it names exist.`)
