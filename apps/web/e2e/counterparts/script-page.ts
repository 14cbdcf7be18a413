// A page of another site, with a script that is bundled from the packages' sources.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

export interface ScriptPage {
  readonly origin: string
  close(): void
}

interface Wishes {
  /** Its Cross-Origin-Opener-Policy. Default: none. */
  readonly openerPolicy?: string
}

/** Serves `body` and then `script`, on a port of its own. @param script TypeScript with JSX that may import Keyhole's packages and React */
export async function servePage(
  body: string,
  script: string,
  { openerPolicy }: Wishes = {},
): Promise<ScriptPage> {
  const code = await bundled(script)
  const html = `<!doctype html><title>Notes</title>${body}<script type="module" src="/page.js"></script>`
  const server = createServer((request, response) => {
    if (openerPolicy !== undefined) response.setHeader('Cross-Origin-Opener-Policy', openerPolicy)
    if (request.url === '/favicon.ico') return response.writeHead(204).end()
    const isScript = request.url === '/page.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    return response.end(isScript ? code : html)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bundled(script: string): Promise<string> {
  const file = join(import.meta.dirname, 'page.tsx')
  const bundle = await rolldown({
    input: 'page',
    platform: 'browser',
    logLevel: 'silent',
    resolve: { conditionNames: ['keyhole-source', 'browser', 'import', 'default'] },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? file : null),
        load: (id) => (id === file ? script : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  return output[0].code
}
