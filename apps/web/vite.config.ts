import { dropExtismWorker, enclaveServedAt } from '@keyhole/enclave/vite'
import { lingui } from '@lingui/vite-plugin'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { finish, isolate, serveEnclave } from './build/finish.ts'
import { messages } from './build/messages.ts'

/**
 * What every visit loads comes in three scripts: what runs before the first paint, the client, and the frame with the first page
 * in it. As many small ones as the bundler would make of them cost a telephone more than what they carry.
 */
const GROUPS = [
  {
    name: 'start',
    test: /src\/start\.ts|src\/shell\/(?:first-paint|stored-theme)\.ts|src\/lib\/connect-document\.ts|preload-helper|rolldown\/runtime/,
    priority: 3,
  },
  { name: 'main', test: /src\/main\.tsx$/, priority: 2 },
  {
    name: 'frame',
    test: /src\/lib\/layout\.tsx$|src\/routes\/index\.tsx\?tsr-split=component$/,
    priority: 1,
  },
]

export default defineConfig({
  base: '/',
  resolve: { conditions: ['keyhole-source', 'browser', 'module', 'import', 'default'] },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      quoteStyle: 'single',
      semicolons: false,
    }),
    messages(),
    lingui({ failOnMissing: true, failOnCompileError: true }),
    react(),
    tailwindcss(),
    dropExtismWorker(),
    enclaveServedAt('/enclave.wasm'),
    serveEnclave(),
    isolate(),
    finish(),
  ],
  worker: { format: 'es', plugins: () => [dropExtismWorker()] },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    sourcemap: false,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
})
