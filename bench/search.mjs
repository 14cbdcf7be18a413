// Searching very many tokens: the client's scan in wasm, compared with uFuzzy on the same texts, in turns in one process.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import UFuzzy from '@leeoniya/ufuzzy'
import { build } from 'vite'
import { expect } from './measure.mjs'

const SOURCES = join(import.meta.dirname, '../apps/web/src/shared/search-index')
const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21)
/** What a person types, letter by letter. Each prefix is a query. */
const TYPED = ['holiday mails', '/payment', 'did:key:z6mkperson17', 'backup photo', 'send', 'nothing like it']
/** Filters that still match much, which people combine with words or use alone. */
const FILTERED = [
  { words: [], kind: 'grant' },
  { words: [], kind: 'grant', status: 'live' },
  { words: ['photo'], command: '/crud', endsBy: NOW + 30 * DAY },
  { words: [], to: 'person17', after: NOW - DAY },
]
const COMMANDS = ['/msg/send', '/crud/read', '/crud/update', '/payment/authorize', '/http/get']
const NAMES = ['Holiday mails', 'Photo backup', 'Printer', 'Build agent', 'Old phone', 'Reading list']

/** Numbers that look random and are the same in each run. */
function numbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

const POOL = (() => {
  const next = numbers(3)
  return Array.from({ length: 1 << 20 }, () => LETTERS[next() >>> 27]).join('')
})()

/** Letters from a random position. @param {() => number} next */
function text(next, length) {
  const at = next() >>> 13
  return POOL.slice(at, at + length)
}

/** Stored tokens as read from storage, issued to a thousand people, each with a DID and the address of its key. */
function makeRecords(count) {
  const next = numbers(7)
  const people = Array.from({ length: 1_000 }, (_, at) => ({
    audience: `kh1${text(next, 38)}`,
    audienceDid: `did:key:z6MkPerson${at}${text(next, 34)}`,
  }))
  return Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    token: 'C',
    type: at % 10 === 0 ? 'received' : 'origin',
    issuer: 'did:key:z6MkOwn',
    ...people[next() % people.length],
    cid: `bafyrei${text(next, 52)}`,
    command: COMMANDS[next() % COMMANDS.length],
    policy: [],
    subject: 'did:key:z6MkOwn',
    expiresAt: NOW + (next() % 365) * DAY,
    createdAt: NOW - (next() % 1_000_000) * 1000,
  }))
}

/** The client's modules, in a form that Node can load. */
async function load() {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-search-'))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      rolldownOptions: {
        input: {
          index: join(SOURCES, 'token-index.ts'),
          matcher: join(SOURCES, 'matcher.ts'),
          module: join(SOURCES, 'search-module.ts'),
        },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
  const from = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)
  const [{ TokenIndex }, { Matcher }, { SearchModule }] = await Promise.all([
    from('index'),
    from('matcher'),
    from('module'),
  ])
  const compiled = new WebAssembly.Module(readFileSync(join(SOURCES, 'search.wasm')))
  rmSync(folder, { recursive: true, force: true })
  return { newIndex: () => new TokenIndex(new SearchModule(compiled)), Matcher }
}

/** @param {number[]} values */
function p95(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN
}

function timed(work) {
  const start = performance.now()
  const result = work()
  return [performance.now() - start, result]
}

export async function figures() {
  const { newIndex, Matcher } = await load()
  const queries = TYPED.flatMap((whole) => Array.from(whole, (_, at) => whole.slice(0, at + 1)))
  const figures = []
  for (const count of [100_000, 1_000_000]) {
    const records = makeRecords(count)
    const labels = records.map(({ id }, at) => ({ id, label: `${NAMES[at % NAMES.length]} ${at}` }))
    const index = newIndex()
    const [added] = timed(() => {
      for (let at = 0; at < count; at += 5_000) index.add(records.slice(at, at + 5_000))
    })
    const matcher = new Matcher(index)
    const found = (query) => matcher.matches(query, NOW).total
    const find = (typed) => found({ words: typed.toLowerCase().split(' ').filter(Boolean) })
    // Everything still to prepare for the first query, and the query itself; then the cost of labels opened since.
    const [ready] = timed(() => find('printer'))
    index.label(labels)
    const [labelled] = timed(() => find('printer'))
    const hay = records.map((record, at) =>
      [labels[at]?.label, record.command, record.audienceDid, record.audience, record.cid]
        .join(' ')
        .toLowerCase(),
    )
    const fuzzy = new UFuzzy()
    expect(
      find('holiday mails 6') > 0 && fuzzy.filter(hay, 'holiday mails')?.length > 0,
      'both find something',
    )
    const taken = { ours: [], theirs: [], filtered: [] }
    for (let round = 0; round < (count > 100_000 ? 2 : 4); round += 1) {
      for (const query of queries) {
        const [ours] = timed(() => find(query))
        const [theirs] = timed(() => fuzzy.filter(hay, query))
        // The first round is a warm-up for both.
        if (round === 0) continue
        taken.ours.push(ours)
        taken.theirs.push(theirs)
      }
      for (const query of FILTERED) {
        const [ours] = timed(() => found(query))
        if (round > 0) taken.filtered.push(ours)
      }
    }
    const shown = count.toLocaleString('en-GB')
    figures.push({
      title: `A keystroke of a search among ${shown} tokens`,
      note: `95th percentile over ${queries.length} beginnings of what people type, one after another. Ours joins every word, and orders all matches; uFuzzy's is its filter over label, command, DID, address and CID. Ours looks for words of fewer than four letters in names, commands and policies alone. The worst of the queries by filters: ${Math.max(...taken.filtered).toFixed(1)} ms. Laying out while the tokens are read: ${added.toFixed(0)} ms; from the last of them to the answer to the first query: ${ready.toFixed(0)} ms, and again with every label opened: ${labelled.toFixed(0)} ms.`,
      better: 'less',
      rows: [
        { name: 'Keyhole', unit: 'ms', value: p95(taken.ours) },
        { name: 'uFuzzy 1.0.19, filter', unit: 'ms', value: p95(taken.theirs) },
        ...(count === 100_000 ? [{ name: 'Bar', unit: 'ms', value: 5 }] : []),
      ],
    })
  }
  return figures
}
