// Starts the service. DID: the owner. CLAIMS: the folder that remembers used calls. PORT and HOST choose the address; by default 8080 on
// this machine only.
import { embeddedClaims } from '@keyhole/verify/embedded'
import { createService } from './server.js'

const { DID: did, CLAIMS: folder, PORT: port = '8080', HOST: host = '127.0.0.1' } = process.env
if (!did?.startsWith('did:')) {
  console.error('Set DID to whose things this server guards: DID=did:key:z… node main.js')
  process.exit(1)
}
const server = await createService({ did, ...(folder && { replay: embeddedClaims(folder) }) })
server.listen(Number(port), host, () => console.log(`Verifying for ${did} at http://${host}:${port}/`))
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
  })
}
