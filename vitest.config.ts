import { defineConfig } from 'vitest/config'
import { messages } from './apps/web/build/messages.ts'

// Workspace packages are read from their sources; the wasm and the worker scripts of Node from what is built.
const conditions = ['keyhole-source', 'node', 'import', 'module', 'default']
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
}

export default defineConfig({
  test: {
    globalSetup: ['packages/enclave/src/test/build.ts'],
    projects: [
      {
        ...shared,
        test: { name: 'enclave', environment: 'node', include: ['packages/enclave/src/**/*.test.ts'] },
      },
      {
        ...shared,
        test: {
          name: 'vault',
          environment: 'node',
          include: ['packages/vault/src/**/*.test.ts'],
          setupFiles: ['packages/vault/src/test/lenient-judge.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'vault-react',
          environment: 'happy-dom',
          include: ['packages/vault-react/src/**/*.test.{ts,tsx}'],
          setupFiles: ['packages/vault/src/test/lenient-judge.ts'],
        },
      },
      {
        ...shared,
        test: { name: 'connect', environment: 'node', include: ['packages/connect/src/**/*.test.ts'] },
      },
      {
        ...shared,
        test: { name: 'examples', environment: 'node', include: ['examples/**/*.test.ts'] },
      },
      {
        ...shared,
        plugins: [messages()],
        test: {
          name: 'web',
          environment: 'node',
          include: ['apps/web/{src,build}/**/*.test.{ts,tsx}'],
          setupFiles: ['apps/web/src/test/english.ts'],
        },
      },
    ],
  },
})
