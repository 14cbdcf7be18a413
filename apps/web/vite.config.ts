import { enclaveServedAt } from '@keyhole/enclave/vite'
import { lingui } from '@lingui/vite-plugin'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogues } from './build/catalogues.ts'
import { CHUNKS } from './build/chunks.ts'
import { finish, isolate, serveEnclave } from './build/finish.ts'
import { messages } from './build/messages.ts'

/** Every page lists the names of all scripts: seven characters tell two versions of one apart in fewer bytes than eight. */
const SCRIPT_NAME = 'assets/[name]-[hash:7].js'

export default defineConfig({
  base: '/',
  resolve: { conditions: ['keyhole-source', 'browser', 'module', 'import', 'default'] },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/app/routes',
      generatedRouteTree: 'src/app/router/routeTree.gen.ts',
      quoteStyle: 'single',
      semicolons: false,
    }),
    messages(),
    catalogues(),
    lingui({ failOnMissing: true, failOnCompileError: true }),
    react(),
    tailwindcss(),
    enclaveServedAt('/enclave.wasm', '/enclave-devices.wasm'),
    serveEnclave(),
    isolate(),
    finish(),
  ],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    sourcemap: false,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS }, entryFileNames: SCRIPT_NAME, chunkFileNames: SCRIPT_NAME },
    },
  },
})
