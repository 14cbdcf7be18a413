// Lets in calls that the owner has allowed, for any command: POST a call to the path of the same name, and revocations to /revocations.
import { createServer } from 'node:http'
import { stringifyJson } from '@keyhole/enclave'
import { createVerifier, memoryClaims, memoryRevocations } from '@keyhole/verify'
import { answerClientError, callOf, guard, revocations, SERVER_OPTIONS } from '@keyhole/verify/node'

/**
 * Creates the service for what an owner owns. `listen` starts it, and `close` ends everything.
 * @param {{did: string, replay?: import('@keyhole/verify').ClaimStore}} options
 */
export async function createService({ did, replay = memoryClaims() }) {
  const verifier = await createVerifier({
    subject: did,
    replay,
    revocations: memoryRevocations(),
    longest: 3_600,
  })
  const checkCall = guard(verifier, { command: ({ url }) => url ?? '/' })
  const takeRevocation = revocations(verifier)
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (request.url === '/revocations') return takeRevocation(request, response)
    // A real service would now do what the signed arguments ask for.
    return checkCall(request, response, () => response.end(stringifyJson(callOf(request))))
  })
  server.on('clientError', answerClientError)
  return server.on('close', () => verifier.close())
}
