import { join } from 'node:path'
import type { Rolldown } from 'vite'

const web = join(import.meta.dirname, '..')
const at = (path: string) => join(web, path)

/** What every page loads. */
const START = at('src/app/entries/start.ts')
/** What is fetched at once, each by the script before it: the client, and the frame with the first page in it. */
const CLIENT = [at('src/app/entries/main.tsx')]
const FRAME = [at('src/app/layout/layout.tsx'), at('src/app/routes/index.tsx?tsr-split=component')]
const PAGES = [...CLIENT, ...FRAME]
/** The same of the page that an app waits for: what it asks, shown without React; React; and the vault that answers. */
const GLANCE = [at('src/pages/connect/glance.ts')]
const CONNECT = [at('src/app/entries/connect.tsx')]
const ANSWER = [at('src/app/layout/connect-layout.tsx'), at('src/pages/connect/connect-page.tsx')]
/** The demo's app, which shares with that page what it is drawn with. A script that begins something is no place for it: it would begin. */
const DEMO_APP = [at('src/app/entries/demo-app.tsx')]

type Modules = Rolldown.ChunkingContext

/** The modules that are needed with these: what they import, and what that does; with `later`, what they come to load as well. */
function reach(modules: Modules, from: readonly string[], { later = false } = {}): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [...from]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue
    found.add(id)
    const info = modules.getModuleInfo(id)
    queue.push(...(info?.importedIds ?? []), ...(later ? (info?.dynamicallyImportedIds ?? []) : []))
  }
  return found
}

interface Shared {
  /** What begins here and what begins there. */
  readonly between: readonly [readonly string[], readonly string[]]
  /** Whether what the second comes to load later counts too. */
  readonly later?: boolean
}

/** Named by the enclave package's index, and never run in a page: an enclave in the page's own thread. */
const IN_PROCESS = /\/packages\/enclave\/src\/direct\//

/** A script of what beginnings have in common, two by two. */
function common(debugName: string, ...pairs: Shared[]) {
  let sides: ReadonlySet<string>[][] | undefined
  const name = (id: string, modules: Modules): string | null => {
    sides ??= pairs.map(({ between: [one, other], later = false }) => [
      reach(modules, one),
      reach(modules, other, { later }),
    ])
    if (IN_PROCESS.test(id)) return null
    return sides.some((pair) => pair.every((side) => side.has(id))) ? debugName : null
  }
  return { name, debugName }
}

const among = (ids: readonly string[]) => (id: string) => ids.includes(id)

/**
 * The scripts of the client that are not left to the bundler. Few and whole, since as many small ones as it would make of them cost a
 * telephone more than what they carry; and cut so that the page which an app waits for takes none of what it does not need. The first
 * that wants a module has it.
 */
const IN_ORDER: Omit<Rolldown.CodeSplittingGroup, 'priority'>[] = [
  {
    name: 'start',
    test: (id) => id === START || /preload-helper|rolldown\/runtime/.test(id),
  },
  // What a sentence is made with, in any language, and the sentences.
  common('language', { between: [GLANCE, CLIENT] }),
  // What any page says of somebody and of a time, and what only a grant needs said.
  common('names', { between: [GLANCE, FRAME] }),
  common('words', { between: [GLANCE, PAGES], later: true }),
  { name: 'glance', test: among(GLANCE) },
  // React.
  common('base', { between: [CONNECT, CLIENT] }, { between: [ANSWER, CLIENT] }),
  // What every page is made of.
  common('parts', { between: [CONNECT, FRAME] }),
  common('vault', { between: [ANSWER, FRAME] }),
  { name: 'main', test: among(CLIENT) },
  { name: 'frame', test: among(FRAME) },
  { name: 'connect', test: among(CONNECT) },
  common('forms', { between: [ANSWER, PAGES], later: true }, { between: [ANSWER, DEMO_APP] }),
  { name: 'answer', test: among(ANSWER) },
  // Each script has its digest in every page, which costs as much as a small one: what is wanted together comes together.
  { name: 'batches', test: /\/packages\/enclave\/src\/(batches|pool|plugin|worker)\// },
  { name: 'backup', test: /\/packages\/vault\/src\/(backup|storage\/copy|accounts\/cop)/ },
  // The fields that most forms have: a script each would be seven more that every page lists with its hash.
  {
    name: 'fields',
    test: /\/ui\/fields\/(text-field|text-area|check-box|radio-cards|segments|drop-zone|secret-area)\.tsx$/,
  },
]

export const CHUNKS = IN_ORDER.map((group, at) => ({ ...group, priority: IN_ORDER.length - at }))
