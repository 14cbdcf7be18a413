// Runs a worker in workerd. The enclave's plugin comes as a module there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bin, run, site } from './project.mjs'

/**
 * Bundles `worker.js` and what it imports, and serves it.
 * @param {string} name of its folder
 * @param {number} port
 * @param {Record<string, string>} files by their names
 * @returns {Promise<{url: string, end: () => Promise<void>}>} once it answers
 */
export async function serveInWorkerd(name, port, files) {
  const folder = site(name)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  const bundled = ['--bundle', '--format=esm', '--conditions=workerd,worker,browser', '--external:*.wasm']
  await run(
    bin('esbuild'),
    ['worker.js', ...bundled, '--outfile=public/worker.js', '--log-level=error'],
    folder,
  )
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ]
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker", esModule = embed "public/worker.js"),
    (name = "@keyhole/enclave/enclave.wasm", wasm = embed "../node_modules/@keyhole/enclave/dist/enclave.wasm")
  ],
  compatibilityDate = "2026-11-01"
);`,
  )
  const server = spawn(bin('workerd'), ['serve', 'config.capnp'], { cwd: folder, stdio: 'inherit' })
  const ended = once(server, 'exit')
  const url = `http://127.0.0.1:${port}/`
  const end = async () => {
    server.kill()
    await ended
  }
  await answerOf(url).catch(async (error) => {
    await end()
    throw error
  })
  return { url, end }
}

/** A server's answer, as soon as there is one. @param {string} url */
export async function answerOf(url) {
  for (const until = Date.now() + 30_000; ; await wait(100)) {
    try {
      return await (await fetch(url)).text()
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}
