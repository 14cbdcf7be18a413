// Lets in calls that the owner has allowed, for any command: POST a call to the path of the same name, and revocations to /revocations.
import { createServer } from 'node:http'
import { stringifyJson } from '@keyhole/enclave'
import { createVerifier } from '@keyhole/verify'
import { embeddedClaims, embeddedRevocations } from '@keyhole/verify/embedded'
import { answerClientError, callOf, guard, revocations, SERVER_OPTIONS } from '@keyhole/verify/node'

const { DID: subject = '', DATA: data = './data', PORT: port = 8080, HOST: host = '127.0.0.1' } = process.env
const [replay, revoked] = [embeddedClaims(`${data}/claims`), embeddedRevocations(`${data}/revocations`)]
const verifier = await createVerifier({ subject, replay, revocations: revoked, longest: 3_600 })
const checkCall = guard(verifier, { command: ({ url = '/' }) => url })
const takeRevocation = revocations(verifier)

export const server = createServer(SERVER_OPTIONS, (request, response) => {
  if (request.url === '/revocations') return takeRevocation(request, response)
  // A real service would now do what the signed arguments ask for.
  return checkCall(request, response, () => response.end(stringifyJson(callOf(request))))
})
server.listen({ port, host }, () => console.log(`Verifying for ${subject} at http://${host}:${port}/`))
server.on('clientError', answerClientError)
server.on('close', () => Promise.all([verifier.close(), replay.close(), revoked.close()]))
