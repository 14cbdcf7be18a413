import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { catalogues } from './apps/web/build/catalogues.ts'
import { messages } from './apps/web/build/messages.ts'
import { areRivalsInstalled } from './bench/rivals/install.mjs'
import { PATIENCE } from './scripts/vitest/patience-time.mjs'

// Workspace packages are read from their sources, the wasm and Node's worker scripts from the build.
const conditions = ['keyhole-source', 'node', 'import', 'module', 'default']
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
}

// Compares every refusal of an enclave in any test with those declared for the export.
const declaredRefusals = 'packages/enclave/src/test/declared-refusals.ts'

// Ends what hangs, and nothing else: a test of many derived keys takes half a minute on a busy machine. The defaults are far shorter.
const limits = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: PATIENCE } } }
const patience = 'scripts/vitest/patience.mjs'

// Other implementations come with the benchmarks' rivals. `npm test` installs them, or says that it can't.
const interop = areRivalsInstalled() ? ['bench/interop/**/*.test.ts'] : []

export default defineConfig({
  test: {
    globalSetup: ['packages/enclave/src/test/build.ts'],
    // More than there are cores: many tests wait for servers and threads. Vitest's default leaves a core out, which is half of two.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        ...shared,
        test: {
          name: 'enclave',
          ...limits,
          environment: 'node',
          include: ['packages/enclave/src/**/*.test.ts'],
          setupFiles: [patience, declaredRefusals],
        },
      },
      {
        ...shared,
        test: {
          name: 'interop',
          ...limits,
          environment: 'node',
          include: interop,
          setupFiles: [patience, declaredRefusals],
        },
      },
      {
        ...shared,
        test: {
          name: 'vault',
          ...limits,
          environment: 'node',
          include: ['packages/vault/src/**/*.test.ts'],
          setupFiles: [patience, declaredRefusals, 'packages/vault/src/test/lenient-judge.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'vault-react',
          ...limits,
          environment: './apps/web/src/test/dom.ts',
          include: ['packages/vault-react/src/**/*.test.{ts,tsx}'],
          setupFiles: [patience, declaredRefusals, 'packages/vault/src/test/lenient-judge.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'connect',
          ...limits,
          environment: 'node',
          include: ['packages/connect/src/**/*.test.{ts,tsx}'],
          setupFiles: [patience],
        },
      },
      {
        ...shared,
        test: {
          name: 'holder',
          ...limits,
          environment: 'node',
          include: ['packages/holder/src/**/*.test.ts'],
          setupFiles: [patience],
        },
      },
      {
        ...shared,
        test: {
          name: 'relay',
          ...limits,
          environment: 'node',
          include: ['packages/relay/src/**/*.test.ts'],
          setupFiles: [patience, declaredRefusals],
        },
      },
      {
        // Express is CommonJS. Node gets the conditions too, where `import` would apply to `require`.
        resolve: { conditions: ['keyhole-source', 'node', 'module', 'default'] },
        ssr: { resolve: { conditions: ['keyhole-source', 'node', 'module', 'default'] } },
        test: {
          name: 'verify',
          ...limits,
          environment: 'node',
          include: ['packages/verify/src/**/*.test.ts'],
          setupFiles: [patience, declaredRefusals],
        },
      },
      {
        ...shared,
        test: {
          name: 'gate',
          ...limits,
          environment: 'node',
          include: ['packages/gate/src/**/*.test.ts'],
          setupFiles: [patience, declaredRefusals],
        },
      },
      {
        ...shared,
        test: {
          name: 'cli',
          ...limits,
          environment: 'node',
          globalSetup: ['packages/cli/src/test/build.ts'],
          // The cluster's processes are the command's.
          include: ['packages/cli/src/**/*.test.ts', 'scripts/cluster/*.test.mjs'],
          setupFiles: [patience],
        },
      },
      {
        ...shared,
        test: {
          name: 'scripts',
          ...limits,
          environment: 'node',
          include: ['scripts/**/*.test.mjs'],
          exclude: ['scripts/cluster/**'],
          setupFiles: [patience],
        },
      },
      {
        ...shared,
        test: {
          name: 'examples',
          ...limits,
          environment: 'node',
          include: ['examples/**/*.test.ts'],
          setupFiles: [patience, declaredRefusals],
        },
      },
      {
        ...shared,
        plugins: [messages(), catalogues()],
        test: {
          name: 'web',
          ...limits,
          environment: 'node',
          include: ['apps/web/{src,build}/**/*.test.ts'],
          setupFiles: [
            patience,
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
          ...limits,
          environment: './apps/web/src/test/dom.ts',
          include: ['apps/web/src/**/*.test.tsx'],
          setupFiles: [
            patience,
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
