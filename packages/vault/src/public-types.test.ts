import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

// The published types, read by the compiler that users have.
const root = join(import.meta.dirname, '../../..')
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const built = mkdtempSync(join(cache, 'vault-types-'))
afterAll(() => rmSync(built, { recursive: true }))

function compile(...given: string[]): string {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [compiler, ...given], { encoding: 'utf8' }).stdout
}

const EVENTS = ['addEventListener', 'removeEventListener', 'on']
const KEY_VAULT = [
  ...[...EVENTS, 'dispatchEvent'],
  ...[
    'accounts',
    'activity',
    'backups',
    'contacts',
    'handovers',
    'keys',
    'mandates',
    'payments',
    'sessions',
    'settings',
    'tabs',
    'templates',
  ],
  ...['tokens', 'unlockMethods', 'client', 'config', 'getSnapshot', 'subscribe', 'isInitialized'],
  ...['initialize', 'cleanup', 'create', 'unlock', 'lock', 'touch', 'sign', 'verify'],
  ...['generateKey', 'deleteKey', 'changePassphrase', 'exportVault', 'importVault'],
]
const VAULT_CLIENT = [
  ...EVENTS,
  ...['initialize', 'isInitialized', 'cleanup', 'didWebHosts', 'allowDidWebHosts'],
  ...['accountAddress', 'switchAccount', 'removeAccount', 'listPersistedAccounts', 'openCopy', 'isCopy'],
  ...['sealedState', 'persistState', 'loadPersistedState', 'clearPersistedState'],
  ...['getPersistedTokens', 'saveToken', 'removeToken', 'removeExpiredTokens'],
  ...['getSessions', 'saveSession', 'removeSession'],
  ...['getStorageEstimate', 'requestPersistentStorage', 'tryPersistWithoutPromptingUser'],
  ...['newOriginToken', 'newAttenuatedToken', 'signData', 'verifyData', 'getIssuerDid', 'inspectToken'],
  ...['verifyToken', 'validateInvocation', 'validateBatch', 'evaluatePolicy', 'invoke', 'revoke'],
  'issueReceipt',
]

/** Compiles only if the two are the same; otherwise the compiler's error names the difference. */
function same(type: string, members: readonly string[]): string {
  const listed = members.map((name) => `'${name}'`).join(' | ')
  return `{
  const more: Record<Exclude<keyof api.${type}, ${listed}>, never> = {}
  const fewer: Record<Exclude<${listed}, keyof api.${type}>, never> = {}
  void [more, fewer]
}`
}

it('KeyVault and VaultClient have these members, and none that only the package itself calls', () => {
  const project = join(root, 'packages/vault/tsconfig.build.json')
  expect(compile('-p', project, '--outDir', built, '--declaration', '--emitDeclarationOnly')).toBe('')
  const probe = join(built, 'probe.ts')
  const made = "new api.VaultClient({ enablePersistence: false }) satisfies api.KeyVault['client']"
  writeFileSync(
    probe,
    `import * as api from './index.js'
${same('KeyVault', KEY_VAULT)}
${same('VaultClient', VAULT_CLIENT)}
void (${made})
`,
  )
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'esnext',
  ]
  expect(compile(...options, '--types', 'node', probe)).toBe('')
})
