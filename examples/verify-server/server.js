// Lets in whoever shows a call that the owner allowed, for any command: POST it to the path of the same name, and revocations to /revocations.
import { createServer } from 'node:http'
import { stringifyJson } from '@keyhole/enclave'
import { createVerifier, memoryClaims, memoryRevocations } from '@keyhole/verify'
import { answerClientError, callOf, guard, revocations, SERVER_OPTIONS } from '@keyhole/verify/node'

/** Makes the service for what is an owner's. `listen` starts it, and `close` ends all of it. @param {{did: string, replay?: import('@keyhole/verify').ClaimStore}} options */
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
    // Here a real service does what the signed arguments ask for.
    return checkCall(request, response, () => response.end(stringifyJson(callOf(request))))
  })
  server.on('clientError', answerClientError)
  return server.on('close', () => verifier.close())
}
