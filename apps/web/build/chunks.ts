import { join } from 'node:path'
import type { Rolldown } from 'vite'

const web = join(import.meta.dirname, '..')
const at = (path: string) => join(web, path)

/** What every page loads. */
const START = at('src/app/entries/start.ts')
/** The scripts that load right away, each loaded by the one before: the client, then the frame with the first page. */
const CLIENT = [at('src/app/entries/main.tsx')]
const FRAME = [at('src/app/layout/layout.tsx'), at('src/app/routes/index.tsx?tsr-split=component')]
const PAGES = [...CLIENT, ...FRAME]
/** The same for the page that apps open: the request, shown without React; then React; then the vault that answers. */
const GLANCE = [at('src/pages/connect/glance.ts')]
const CONNECT = [at('src/app/entries/connect.tsx')]
const ANSWER = [at('src/app/layout/connect-layout.tsx'), at('src/pages/connect/connect-page.tsx')]
/** The demo's app, which shares rendering code with that page. An entry script can't be shared: importing it would run it. */
const DEMO_APP = [at('src/app/entries/demo-app.tsx')]

type Modules = Rolldown.ChunkingContext

/** The modules these need, directly or through other imports. With `later`, also what they load dynamically. */
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
  /** Two sets of entry points. */
  readonly between: readonly [readonly string[], readonly string[]]
  /** Also count what the second set loads later. */
  readonly later?: boolean
}

/** Runs an enclave in the page's own thread. The enclave package's index exports it, but pages never run it. */
const IN_PROCESS = /\/packages\/enclave\/src\/(direct\/|(generated\/exports|for-devices)\.ts$)/

/** What only downloads use. The vault package's index exports it. */
const TABLES = /\/packages\/vault\/src\/base\/csv\.ts$/

/** Icons that only one part of a page shows, which is loaded later. The icons' index would put them into the first script of every page. */
const LATE_ICONS =
  /lucide-react\/dist\/esm\/icons\/(ban|bell|book-open|bookmark|chart-no-axes-gantt|chevron-left|chevrons-up-down|contact|cooking-pot|corner-down-right|database-backup|door-open|gauge|keyboard|languages|life-buoy|locate-fixed|merge|printer|receipt-text|rotate-ccw-clock|save|settings|shield-exclamation-point|square|square-arrow-up-right-exit|trash|upload|user-plus|user-round|waypoints)\.mjs$/

/**
 * A list of choices, and the hooks that only it needs. Base UI's index exports them, so everything that floats seems to import them.
 */
const CHOICE =
  /\/ui\/fields\/choice\.tsx$|@base-ui\/react\/(select\/|floating-ui-react\/hooks\/(useListNavigation|useTypeahead|gridNavigation)\.mjs$)/

/** One script with what each pair of entry points has in common. */
function common(debugName: string, ...pairs: Shared[]) {
  let sides: ReadonlySet<string>[][] | undefined
  const name = (id: string, modules: Modules): string | null => {
    sides ??= pairs.map(({ between: [one, other], later = false }) => [
      reach(modules, one),
      reach(modules, other, { later }),
    ])
    if ([IN_PROCESS, TABLES, LATE_ICONS, CHOICE].some((late) => late.test(id))) return null
    return sides.some((pair) => pair.every((side) => side.has(id))) ? debugName : null
  }
  return { name, debugName }
}

const among = (ids: readonly string[]) => (id: string) => ids.includes(id)

/**
 * The client's scripts that we don't leave to the bundler. It would make many small ones, and on a phone the extra requests cost more than
 * the bytes. The split keeps the page that apps open free of anything it doesn't need. A module goes into the first script that matches.
 */
const IN_ORDER: Omit<Rolldown.CodeSplittingGroup, 'priority'>[] = [
  {
    name: 'start',
    test: (id) => id === START || /preload-helper|rolldown\/runtime/.test(id),
  },
  // Sentences, and the code that builds them in any language.
  common('language', { between: [GLANCE, CLIENT] }),
  // First what every page needs to show names and times, then what only grants need.
  common('names', { between: [GLANCE, FRAME] }),
  common('words', { between: [GLANCE, PAGES], later: true }),
  { name: 'glance', test: among(GLANCE) },
  // React.
  common('base', { between: [CONNECT, CLIENT] }, { between: [ANSWER, CLIENT] }),
  // The components that every page uses.
  common('parts', { between: [CONNECT, FRAME] }),
  common('vault', { between: [ANSWER, FRAME] }),
  { name: 'main', test: among(CLIENT) },
  { name: 'frame', test: among(FRAME) },
  { name: 'connect', test: among(CONNECT) },
  // A policy while it is edited, which most pages don't need.
  {
    name: 'drafts',
    test: /\/shared\/(policy-editor\/(node|node-problem|policy-text|draft)|policy\/value-text)\.ts$/,
  },
  common('forms', { between: [ANSWER, PAGES], later: true }, { between: [ANSWER, DEMO_APP] }),
  { name: 'answer', test: among(ANSWER) },
  // With what tabs use, too: every page that has tabs has choices in one of them.
  { name: 'choice', test: CHOICE },
  // Every page lists each script's digest, which costs as much as a small script. What loads together is built together.
  { name: 'batches', test: /\/packages\/enclave\/src\/(batches|pool|plugin|worker)\// },
  {
    name: 'backup',
    test: /\/packages\/vault\/src\/(backup|storage\/mirror|accounts\/cop|client\/copied-storage)/,
  },
  // What a vault loads on first use, and most visits don't need.
  {
    name: 'seldom',
    test: /\/packages\/vault\/src\/(payments\/|opened\/|tokens\/keepers\/|activity\/device-lines|session\/leave-devices|keys\/key-import)/,
  },
  // The strength estimator, its dictionaries and the word list for suggested passphrases.
  { name: 'zxcvbn', test: /\/@zxcvbn-ts\/|\/english-words\.txt/ },
  // Code that reads the token index, with what search and most lists use; then what lists of grants use.
  {
    name: 'index',
    test: /\/shared\/(search-index\/(use-answer|answer-buffer|token-(answers|client|messages)|message-queue)|tokens\/(asked-payment|capability|check-draft)|words\/payment-args|hooks\/use-growing-count|vault\/use-vault-check|contacts\/kind-words)\.ts$/,
  },
  { name: 'marks', test: /\/shared\/(ui\/(feedback\/badge|text\/time-text)|hooks\/drafts|text\/day)\.tsx?$/ },
  {
    name: 'grants',
    test: /\/shared\/(tokens\/(standing-badge|stored-badge|stored-sentence|use-mandate-names|use-report|use-suspended|use-tokens)|vault\/use-sealed-lists|grant-words\/spending|ui\/(feedback\/skeleton|buttons\/back-button)|grant-actions\/(grant-actions|use-asked)|relay\/(relay-setting|delivered|waiting))\.tsx?$|\/features\/(grants\/narrowing|received\/invoke-form-key)\.ts$/,
  },
  // Code that Home shares with setting up a vault, and with the pages that resolve what needs attention.
  {
    name: 'needs',
    test: /\/features\/(account\/setup|backup\/(use-backup-health|use-storage|reminder)|payments\/mandates\/mandate-state)\.ts$|\/unlock-proof\/use-unconfirmed-code\.ts$|\/shared\/vault\/is-synced\.ts$/,
  },
  // What the relay is asked once the vault is open.
  { name: 'asks', test: /\/shared\/relay\/ask-for-(opened|uses)\.ts$/ },
  // Who loses what by a revocation, and revoking it.
  { name: 'affected', test: /\/shared\/grant-actions\/(affected|revoke-all)\.ts$/ },
  // The fields that most forms use, what lists show, and downloads. As separate scripts they would add ten more hashes to every page.
  {
    name: 'fields',
    test: /\/ui\/(feedback\/list-progress|layout\/facts|dialogs\/dialog-(end|foot)|feedback\/in-sight|text\/and-more)\.tsx$|\/shared\/(words\/key-name\.ts|vault\/key-choice\.tsx)$|\/features\/account\/lazy-part\.tsx$|\/shared\/glossary\/term\.tsx$|\/shared\/(browser\/(payment-windows|read-file|theme)|hooks\/use-can-use-passkeys)\.ts$|\/fields\/file-drop\.tsx$|\/alert-dialog\/root\/AlertDialogRoot\.mjs$|\/icons\/life-buoy\.mjs$|\/ui\/fields\/(text-field|text-area|check-box|tick-box|radio-cards|segments|drop-zone|secret-area)\.tsx$|\/browser\/download\.ts$|\/packages\/vault\/src\/base\/csv\.ts$/,
  },
  // What a request asks for, read from its token.
  {
    name: 'asked',
    test: /\/shared\/(search-index\/(read-asked|payment-words)|tokens\/(asked|call)|grant-words\/call-args)\.ts$/,
  },
  // Saving the second copy of an account that can't be opened.
  {
    name: 'save-copy',
    test: /\/features\/account\/recovery\/(save-copy|from-copy)\.tsx$/,
  },
]

export const CHUNKS = IN_ORDER.map((group, at) => ({ ...group, priority: IN_ORDER.length - at }))
