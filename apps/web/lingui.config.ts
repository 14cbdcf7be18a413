import type { LinguiConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { SOURCE_LANGUAGE, TRANSLATED_TAGS } from './src/locales/languages.js'

/** One catalogue a folder, so that a change in one feature touches one file of translations. */
const PARTS = ['components', 'lib', 'routes'].map((name) => ({ name, include: `src/${name}` }))
const FEATURES = [
  'account',
  'activity',
  'backup',
  'common',
  'connect',
  'demo',
  'demo-app',
  'grants',
  'home',
  'identity',
  'inspect',
  'key-import',
  'keys',
  'palette',
  'passphrase',
  'payment',
  'policy',
  'proof',
  'received',
  'recovery',
  'register',
  'search',
  'sessions',
  'unlock',
  'words',
].map((name) => ({ name, include: `src/features/${name}` }))

const config: LinguiConfig = {
  sourceLocale: SOURCE_LANGUAGE,
  locales: TRANSLATED_TAGS,
  // No line numbers and no times: a catalogue changes when a text does.
  format: formatter({ lineNumbers: false, origins: true }),
  orderBy: 'message',
  catalogs: [...PARTS, ...FEATURES].map(({ name, include }) => ({
    path: `<rootDir>/src/locales/{locale}/${name}`,
    include: [`<rootDir>/${include}`],
  })),
}

export default config
