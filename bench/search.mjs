// What fits a query among very many tokens: the client's own scan beside uFuzzy over the same texts, by turns in one process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import UFuzzy from '@leeoniya/ufuzzy'
import { build } from 'vite'
import { expect } from './measure.mjs'

const SOURCES = join(import.meta.dirname, '../apps/web/src/features/search')
const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21)
/** What a person types, letter by letter: each beginning is a query. */
const TYPED = ['holiday mails', '/payment', 'did:key:z6mkperson17', 'backup photo', 'send', 'nothing like it']
const COMMANDS = ['/msg/send', '/crud/read', '/crud/update', '/payment/authorize', '/http/get']
const NAMES = ['Holiday mails', 'Photo backup', 'Printer', 'Build agent', 'Old phone', 'Reading list']

/** A number that looks random and is the same in each run. */
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

/** Letters from a place of their own. @param {() => number} next */
function text(next, length) {
  const at = next() >>> 13
  return POOL.slice(at, at + length)
}

/** Stored tokens as they are read, a thousand people among them. */
function makeRecords(count) {
  const next = numbers(7)
  const people = Array.from({ length: 1_000 }, (_, at) => `did:key:z6MkPerson${at}${text(next, 34)}`)
  return Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    token: 'C',
    type: at % 10 === 0 ? 'received' : 'origin',
    issuer: 'did:key:z6MkOwn',
    audience: `kh1${text(next, 8)}`,
    audienceDid: people[next() % people.length],
    cid: `bafy${text(next, 55)}`,
    command: COMMANDS[next() % COMMANDS.length],
    policy: [],
    subject: 'did:key:z6MkOwn',
    expiresAt: NOW + (next() % 365) * DAY,
    createdAt: NOW - (next() % 1_000_000) * 1000,
  }))
}

/** The client's modules, as Node can load them. */
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
          flat: join(SOURCES, 'flat.ts'),
        },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
  const from = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)
  const [{ TokenIndex }, { matches }, { Flat }] = await Promise.all([
    from('index'),
    from('matcher'),
    from('flat'),
  ])
  rmSync(folder, { recursive: true, force: true })
  return { TokenIndex, matches, Flat }
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
  const { TokenIndex, matches, Flat } = await load()
  const queries = TYPED.flatMap((whole) => Array.from(whole, (_, at) => whole.slice(0, at + 1)))
  const figures = []
  for (const count of [100_000, 1_000_000]) {
    const records = makeRecords(count)
    const labels = records.map(({ id }, at) => ({ id, label: `${NAMES[at % NAMES.length]} ${at}` }))
    const index = new TokenIndex()
    for (let at = 0; at < count; at += 5_000) index.add(records.slice(at, at + 5_000))
    index.label(labels)
    const none = new Flat([])
    const find = (typed) =>
      matches({ words: typed.toLowerCase().split(' ').filter(Boolean) }, index, [], none, NOW).rows.length
    // All that is laid out for the first query, and the query.
    const [ready] = timed(() => find('printer'))
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
    const taken = { ours: [], theirs: [] }
    for (let round = 0; round < (count > 100_000 ? 2 : 4); round += 1) {
      for (const query of queries) {
        const [ours] = timed(() => find(query))
        const [theirs] = timed(() => fuzzy.filter(hay, query))
        // The first round warms both up.
        if (round === 0) continue
        taken.ours.push(ours)
        taken.theirs.push(theirs)
      }
    }
    const shown = count.toLocaleString('en-GB')
    figures.push({
      title: `A keystroke of a search among ${shown} tokens`,
      note: `95th percentile over ${queries.length} beginnings of what people type. Ours joins every word, filters and orders all matches; uFuzzy's is its filter over label, command, DID, address and CID. Ours looks for words of fewer than four letters in names, commands and policies alone. Laying out all that is scanned, before the first query: ${ready.toFixed(0)} ms.`,
      better: 'less',
      rows: [
        { name: 'Keyhole', unit: 'ms', value: p95(taken.ours) },
        { name: 'uFuzzy 1.0.19, filter', unit: 'ms', value: p95(taken.theirs) },
      ],
    })
  }
  return figures
}
