// Writes the enclave's two worker scripts for browsers, each a single file without imports. A page loads them from wherever the package's
// files are served, with any bundler or none. Part of `npm run build:packages`, after the compiler.
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dropExtismWorker } from '../packages/enclave/dist/vite.js'
import { root } from './suites.mjs'

const dist = join(root, 'packages/enclave/dist')

for (const name of ['shared-worker', 'dedicated-worker']) {
  const bundle = await rolldown({
    input: join(dist, `${name}.js`),
    platform: 'browser',
    plugins: [dropExtismWorker()],
    resolve: { conditionNames: ['browser', 'module', 'import', 'default'] },
  })
  const { output } = await bundle.write({
    file: join(dist, 'workers', `${name}.js`),
    format: 'es',
    minify: true,
    sourcemap: true,
    codeSplitting: false,
  })
  await bundle.close()
  const scripts = output.filter(({ type }) => type === 'chunk')
  if (scripts.length !== 1 || scripts[0]?.imports.length !== 0) {
    throw new Error(`workers-build: ${name} is not one file that imports nothing.`)
  }
}
