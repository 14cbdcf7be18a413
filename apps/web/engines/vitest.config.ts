import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Separate from the other tests: these need the production build, and browsers that not every machine has.
export default defineConfig({
  root: join(import.meta.dirname, '../../..'),
  test: {
    name: 'engines',
    include: ['apps/web/engines/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
})
