// Next, its build and its server: the vault's example in a client component, and the provider in a server-rendered layout.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { saidBy, TOKEN } from './pages.mjs'
import { at, bin, exampleOf, expectSaid, run, site } from './project.mjs'
import { answerOf } from './runtimes.mjs'

const PORT = 4271

/** The site's files, by path. */
const FILES = {
  // What someone writes who has only read the README: no directive except in the file that itself uses hooks.
  'app/layout.jsx': `import { VaultProvider } from '@keyhole/vault-react'
export default function Layout({ children }) {
  return <html lang="en"><body><VaultProvider>{children}</VaultProvider></body></html>
}`,
  'app/page.jsx': `import { Example } from './client.jsx'
export default function Page() {
  return <Example />
}`,
  'app/client.jsx': `'use client'
import { useEffect } from 'react'
export function Example() {
  useEffect(() => { import('./example.js') }, [])
  return <p>Next</p>
}`,
  'app/react/page.jsx': `import { App } from './example.jsx'
export default App`,
  'app/connect/page.jsx': `import { ConnectButton } from '@keyhole/connect/react'
export default function Page() {
  return <ul><li>{typeof ConnectButton}</li></ul>
}`,
}

async function inNext() {
  const folder = site('site-next')
  for (const name of ['app/react', 'app/connect']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'app/example.js'), exampleOf('vault'))
  writeFileSync(join(folder, 'app/react/example.jsx'), `'use client'\n${exampleOf('vault-react')}`)
  const root = `export default { turbopack: { root: ${JSON.stringify(at())} }, outputFileTracingRoot: ${JSON.stringify(at())} }`
  writeFileSync(join(folder, 'next.config.mjs'), root)
  await run(bin('next'), ['build'], folder)
  const server = spawn(
    process.execPath,
    [at('node_modules/next/dist/bin/next'), 'start', '-p', String(PORT)],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const ended = once(server, 'exit')
  try {
    const react = await answerOf(`http://127.0.0.1:${PORT}/react`)
    expectSaid('Next, on the server', react, /The vault is /)
    expectSaid('Next', await saidBy(`http://127.0.0.1:${PORT}/`), TOKEN)
  } finally {
    server.kill()
    await ended
  }
}

/** @type {Record<string, (name: string) => Promise<void>>} */
export const next = { 'Next 16': inNext }
