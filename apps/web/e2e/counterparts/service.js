// A service that accepts the calls its owner allowed, for any command. It remembers only while it runs.
import { createServer } from 'node:http'
import { stringifyJson } from '@keyhole/enclave'
import { createVerifier, memoryClaims, memoryRevocations } from '@keyhole/verify'
import { callOf, guard, revocations, SERVER_OPTIONS } from '@keyhole/verify/node'

/**
 * Creates the service for what an owner owns. `listen` starts it, and `close` ends everything.
 * @param {string} subject the owner's DID
 */
export async function createService(subject) {
  const verifier = await createVerifier({
    subject,
    replay: memoryClaims(),
    revocations: memoryRevocations(),
    longest: 3_600,
  })
  const checkCall = guard(verifier, { command: ({ url }) => url ?? '/' })
  const takeRevocation = revocations(verifier)
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (request.url === '/revocations') return takeRevocation(request, response)
    return checkCall(request, response, () => response.end(stringifyJson(callOf(request))))
  })
  return server.on('close', () => verifier.close())
}
