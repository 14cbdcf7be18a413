import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/server/app.js'

/** A copy of the build on its own server, which can be changed like a deploy while it runs. */
export interface BuildCopy {
  readonly url: string
  /** Rewrites a file of the copy and removes its compressed forms. */
  change(path: string, make: (before: string) => string): void
  remove(path: string): void
  /** Serves the current files. The server reads the folder once. */
  deploy(): void
  close(): void
}

export async function serveBuildCopy(): Promise<BuildCopy> {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-client-'))
  cpSync(join(import.meta.dirname, '../../dist'), folder, { recursive: true })
  const server = createServer(createApp(folder))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const forget = (path: string) => {
    for (const suffix of ['', '.br', '.gz']) rmSync(join(folder, `${path}${suffix}`), { force: true })
  }
  return {
    url: `http://localhost:${port}/`,
    change: (path, make) => {
      const before = readFileSync(join(folder, path), 'utf8')
      const after = make(before)
      if (after === before) throw new Error(`${path} was not changed`)
      forget(path)
      writeFileSync(join(folder, path), after)
    },
    remove: forget,
    deploy: () => {
      server.removeAllListeners('request')
      server.on('request', createApp(folder))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
