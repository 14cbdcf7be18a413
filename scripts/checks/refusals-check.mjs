// Programs never compare a refusal's text: they compare codes, names and reasons (decision 045).
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../suites.mjs'
import { comparedInRust, comparedTexts } from './refusal-texts.mjs'

const PLACES = ['packages', 'apps', 'examples', 'crates', 'bench', 'scripts', 'vectors']
/** Tests may check a sentence: in Rust in these files, in TypeScript with an `expect`. */
const RUST_TEST = /_test\.rs$|\/tests\//

const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...PLACES], {
  cwd: root,
  encoding: 'utf8',
})
const files = stdout.split('\n').filter((path) => /\.(?:tsx?|m?js|rs)$/.test(path) && !path.endsWith('.d.ts'))
const wrong = files.flatMap((path) => {
  if (RUST_TEST.test(path)) return []
  const text = readFileSync(join(root, path), 'utf8')
  const lines = path.endsWith('.rs') ? comparedInRust(text) : comparedTexts(path, text)
  return lines.map((line) => `${path}:${line}`)
})

for (const place of wrong)
  console.log(`${place} compares what an error says: compare its code, its name or its reason`)
if (files.length === 0) console.log('no file was found')
if (wrong.length > 0 || files.length === 0) process.exitCode = 1
else console.log(`None of ${files.length} files compares what an error says.`)
