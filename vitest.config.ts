import { defineConfig } from 'vitest/config'
import { catalogues } from './apps/web/build/catalogues.ts'
import { messages } from './apps/web/build/messages.ts'
import { areRivalsInstalled } from './bench/rivals/install.mjs'

// Workspace packages are read from their sources; the wasm and the worker scripts of Node from what is built.
const conditions = ['keyhole-source', 'node', 'import', 'module', 'default']
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
}

// What an enclave refuses in any test is held against what is declared of the export.
const declaredRefusals = 'packages/enclave/src/test/declared-refusals.ts'

// A test that hangs ends all the same; one on a busy machine is not taken for it.
const testTimeout = 30_000

// Other implementations come with the rivals of the benchmarks: `npm test` installs them, and says so where it cannot.
const interop = areRivalsInstalled() ? ['bench/interop/**/*.test.ts'] : []

export default defineConfig({
  test: {
    globalSetup: ['packages/enclave/src/test/build.ts'],
    // Every core: Vitest leaves one out, which on two is half of them. Much of a test waits for the enclave's thread besides.
    maxWorkers: '100%',
    projects: [
      {
        ...shared,
        test: {
          name: 'enclave',
          testTimeout,
          environment: 'node',
          include: ['packages/enclave/src/**/*.test.ts'],
          setupFiles: [declaredRefusals],
        },
      },
      {
        ...shared,
        test: {
          name: 'interop',
          testTimeout,
          environment: 'node',
          include: interop,
          setupFiles: [declaredRefusals],
        },
      },
      {
        ...shared,
        test: {
          name: 'vault',
          testTimeout,
          environment: 'node',
          include: ['packages/vault/src/**/*.test.ts'],
          setupFiles: [declaredRefusals, 'packages/vault/src/test/lenient-judge.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'vault-react',
          testTimeout,
          environment: './apps/web/src/test/dom.ts',
          include: ['packages/vault-react/src/**/*.test.{ts,tsx}'],
          setupFiles: [declaredRefusals, 'packages/vault/src/test/lenient-judge.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'connect',
          testTimeout,
          environment: 'node',
          include: ['packages/connect/src/**/*.test.{ts,tsx}'],
        },
      },
      {
        ...shared,
        test: {
          name: 'holder',
          testTimeout,
          environment: 'node',
          include: ['packages/holder/src/**/*.test.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'relay',
          testTimeout,
          environment: 'node',
          include: ['packages/relay/src/**/*.test.ts'],
          setupFiles: [declaredRefusals],
        },
      },
      {
        // Express is CommonJS: the conditions go to Node too, where `import` would be taken for `require`.
        resolve: { conditions: ['keyhole-source', 'node', 'module', 'default'] },
        ssr: { resolve: { conditions: ['keyhole-source', 'node', 'module', 'default'] } },
        test: {
          name: 'verify',
          testTimeout,
          environment: 'node',
          include: ['packages/verify/src/**/*.test.ts'],
          setupFiles: [declaredRefusals],
        },
      },
      {
        ...shared,
        test: {
          name: 'gate',
          testTimeout,
          environment: 'node',
          include: ['packages/gate/src/**/*.test.ts'],
          setupFiles: [declaredRefusals],
        },
      },
      {
        ...shared,
        test: {
          name: 'cli',
          testTimeout,
          environment: 'node',
          globalSetup: ['packages/cli/src/test/build.ts'],
          include: ['packages/cli/src/**/*.test.ts'],
        },
      },
      {
        ...shared,
        test: { name: 'scripts', testTimeout, environment: 'node', include: ['scripts/**/*.test.mjs'] },
      },
      {
        ...shared,
        test: {
          name: 'examples',
          testTimeout,
          environment: 'node',
          include: ['examples/**/*.test.ts'],
          setupFiles: [declaredRefusals],
        },
      },
      {
        ...shared,
        plugins: [messages(), catalogues()],
        test: {
          name: 'web',
          testTimeout,
          environment: 'node',
          include: ['apps/web/{src,build}/**/*.test.ts'],
          setupFiles: [
            declaredRefusals,
            'apps/web/src/test/english.ts',
            'apps/web/src/shared/words/loaded-words.ts',
          ],
        },
      },
      {
        ...shared,
        plugins: [messages(), catalogues()],
        test: {
          name: 'components',
          testTimeout,
          environment: './apps/web/src/test/dom.ts',
          include: ['apps/web/src/**/*.test.tsx'],
          setupFiles: [
            declaredRefusals,
            'apps/web/src/test/english.ts',
            'apps/web/src/test/patience.ts',
            'apps/web/src/test/search-from-disk.ts',
            'apps/web/src/shared/words/loaded-words.ts',
          ],
        },
      },
    ],
  },
})
