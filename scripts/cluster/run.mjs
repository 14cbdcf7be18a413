// npm run cluster: three NATS servers, gates and relays on loopback, to try what happens when parts of it die.
//
// node scripts/cluster/run.mjs [--gates 2] [--relays 2] [--owner did:key:…] [--vault https://…] [--service URL] [--folder FOLDER]
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { owner as example, follow } from './calls.mjs'
import { isBuilt, startCluster } from './cluster.mjs'
import { natsServer } from './nats-server.mjs'

const { values } = parseArgs({
  options: {
    gates: { type: 'string', default: '2' },
    relays: { type: 'string', default: '2' },
    owner: { type: 'string' },
    vault: { type: 'string', default: 'http://localhost:4173' },
    service: { type: 'string', default: 'http://127.0.0.1:4173' },
    folder: { type: 'string' },
  },
})
const [gates, relays] = [Number(values.gates), Number(values.relays)]
const isCount = (/** @type {number} */ count) => Number.isInteger(count) && count >= 0 && count <= 32
const program = natsServer()
if (!program || !isBuilt() || !isCount(gates) || !isCount(relays) || gates + relays === 0) {
  console.error(
    !program
      ? 'There is no nats-server. `go install github.com/nats-io/nats-server/v2@latest` builds one (CONTRIBUTING.md).'
      : isBuilt()
        ? '--gates and --relays take numbers up to 32, one of them at least 1.'
        : 'The command is not built. Run `npm run build:packages` first.',
  )
  process.exit(2)
}

const folder = values.folder ? resolve(values.folder) : mkdtempSync(join(tmpdir(), 'keyhole-cluster-'))
const cluster = await startCluster({
  program,
  folder,
  gates,
  relays,
  owner: values.owner ?? example.did,
  vault: values.vault,
  services: { api: { url: values.service, private: true, methods: ['GET', 'POST'] } },
  // The example owner's key is known to everyone, so it can grant. A real owner does it with `keyhole gate follow`.
  ...(!values.owner && { follow }),
})
console.log(`NATS ${cluster.servers.join(', ')}`)
if (relays > 0) console.log(`Relay ${cluster.relay}, in front of ${cluster.relays.join(', ')}`)
if (gates > 0) console.log(`Gate ${cluster.gate}, in front of ${cluster.gates.join(', ')}`)
console.log(`Owner ${values.owner ?? `${example.did} (an example: its key is in vectors/)`}`)
console.log(`Data ${folder}. Ctrl-C ends all.`)
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void cluster.close().then(() => process.exit(0)))
