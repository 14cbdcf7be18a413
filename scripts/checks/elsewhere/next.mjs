// Next, its build and its server: the vault's example in a client component, the provider in a server-rendered layout, and the route of
// docs/guides/your-service.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from '../../../vectors/generate/container.mjs'
import { alice, bob } from '../../../vectors/generate/keys.mjs'
import { delegate, invoke } from '../../../vectors/generate/token.mjs'
import { root } from '../../suites.mjs'
import { saidBy, TOKEN } from './pages.mjs'
import { at, bin, exampleOf, expectSaid, run, site } from './project.mjs'
import { answerOf } from './workerd.mjs'

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

/** The guide's route, for an owner. */
function route() {
  const guide = readFileSync(join(root, 'docs/guides/your-service.md'), 'utf8')
  const [, program] = /^Next,[^\n]*\n\n```js\n([\s\S]+?)^```/m.exec(guide) ?? []
  if (program === undefined) throw new Error('docs/guides/your-service.md has no route for Next.')
  return program.replaceAll('did:key:OWNER', alice.did)
}

/** Calls the route with the grant of a folder, twice with the same call, and without one. @param {string} url */
async function callRoute(url) {
  const grant = delegate({ from: alice, to: bob, cmd: '/notes', pol: [['==', '.folder', 'recipes']] })
  const exp = Math.floor(Date.now() / 1_000) + 60
  const args = { folder: 'recipes' }
  const call = invoke({ by: bob, sub: alice, aud: alice, proofs: [grant], cmd: '/notes/read', args, exp })
  const post = async (/** @type {Record<string, string>} */ headers) => {
    const response = await fetch(url, { method: 'POST', headers })
    return `${response.status} ${await response.text()}`
  }
  const headers = { authorization: `Bearer ${text([grant, call])}` }
  expectSaid('a route of Next', await post(headers), /^200 Notes in recipes$/)
  expectSaid('a route of Next, again', await post(headers), /^401 .*Replayed/)
  expectSaid('a route of Next, to a stranger', await post({}), /^401 .*\/notes\/read/)
}

async function inNext() {
  const folder = site('site-next')
  for (const name of ['app/react', 'app/connect', 'app/notes'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'app/example.js'), exampleOf('vault'))
  writeFileSync(join(folder, 'app/react/example.jsx'), `'use client'\n${exampleOf('vault-react')}`)
  writeFileSync(join(folder, 'app/notes/route.js'), route())
  const top = JSON.stringify(at())
  writeFileSync(
    join(folder, 'next.config.mjs'),
    `export default {
  turbopack: { root: ${top} },
  outputFileTracingRoot: ${top},
  serverExternalPackages: ['@keyhole/enclave', '@keyhole/verify', 'lmdb'],
}`,
  )
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
    await callRoute(`http://127.0.0.1:${PORT}/notes`)
    expectSaid('Next', await saidBy(`http://127.0.0.1:${PORT}/`), TOKEN)
  } finally {
    server.kill()
    await ended
  }
}

/** @type {Record<string, (name: string) => Promise<void>>} */
export const next = { 'Next 16': inNext }
