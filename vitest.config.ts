import { defineConfig } from 'vitest/config'
import { catalogues } from './apps/web/build/catalogues.ts'
import { messages } from './apps/web/build/messages.ts'
import { areRivalsInstalled } from './bench/rivals/install.mjs'

// Workspace packages are read from their sources, the wasm and Node's worker scripts from the build.
const conditions = ['keyhole-source', 'node', 'import', 'module', 'default']
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
}

// Compares every refusal of an enclave in any test with those declared for the export.
const declaredRefusals = 'packages/enclave/src/test/declared-refusals.ts'

// Ends a test that hangs, but leaves enough time for one on a busy machine.
const testTimeout = 30_000

// Other implementations come with the benchmarks' rivals. `npm test` installs them, or says that it can't.
const interop = areRivalsInstalled() ? ['bench/interop/**/*.test.ts'] : []

export default defineConfig({
  test: {
    globalSetup: ['packages/enclave/src/test/build.ts'],
    // Every core: Vitest leaves one out, which is half of two. Tests also spend much of their time waiting for the enclave's thread.
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
        // Express is CommonJS. Node gets the conditions too, where `import` would apply to `require`.
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
          // The cluster's processes are the command's.
          include: ['packages/cli/src/**/*.test.ts', 'scripts/cluster/*.test.mjs'],
        },
      },
      {
        ...shared,
        test: {
          name: 'scripts',
          testTimeout,
          environment: 'node',
          include: ['scripts/**/*.test.mjs'],
          exclude: ['scripts/cluster/**'],
        },
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
