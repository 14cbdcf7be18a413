// A server that answers calls: `node server.mjs keyhole <did> [<folder>]` checks grants and remembers each call, in memory if it isn't given a
// folder. `node server.mjs jwt <jwk> [<folder>]` checks JSON Web Tokens and remembers them only with a folder. `node server.mjs empty` checks
// nothing. It prints its port.
import { createServer } from 'node:http'
import { createVerifier, memoryClaims, memoryRevocations } from '@keyhole/verify'
import { embeddedClaims, embeddedRevocations } from '@keyhole/verify/embedded'
import { callOf, guard, SERVER_OPTIONS } from '@keyhole/verify/node'
import { importJWK, jwtVerify } from 'jose'

/** @typedef {import('node:http').RequestListener} Listener */

/** @param {import('node:http').ServerResponse} response @param {unknown} body */
const answer = (response, body, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** @type {Record<string, (...given: string[]) => Listener | Promise<Listener>>} */
const KINDS = {
  async keyhole(subject = '', folder = '') {
    const replay = folder ? embeddedClaims(`${folder}/claims`) : memoryClaims()
    const revocations = folder ? embeddedRevocations(`${folder}/revocations`) : memoryRevocations()
    const verifier = await createVerifier({ subject, replay, revocations, longest: 3_600 })
    const check = guard(verifier, { command: '/notes/read' })
    return (request, response) =>
      void check(request, response, () => answer(response, { folder: callOf(request).args.folder }))
  },
  async jwt(jwk = '', folder = '') {
    const key = await importJWK(JSON.parse(jwk), 'EdDSA')
    const claims = folder ? embeddedClaims(folder) : undefined
    const rules = {
      algorithms: ['EdDSA'],
      issuer: 'https://owner.example',
      audience: 'https://notes.example',
    }
    return async (request, response) => {
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
      const { payload } = await jwtVerify(token, key, rules).catch(() => ({ payload: undefined }))
      if (payload?.command !== '/notes/read') return answer(response, {}, 401)
      const now = Math.floor(Date.now() / 1_000)
      const isFirst = await (claims?.claim(String(payload.jti), Number(payload.exp), now) ?? true)
      answer(response, { folder: payload.folder }, isFirst ? 200 : 401)
    }
  },
  empty: () => (_request, response) => void answer(response, { folder: 'notes' }),
}

const [kind = '', ...given] = process.argv.slice(2)
const listener = await KINDS[kind]?.(...given)
const server = createServer(SERVER_OPTIONS, listener)
server.listen({ port: 0, host: '127.0.0.1' }, () => {
  const address = server.address()
  if (address && typeof address !== 'string') console.log(address.port)
})
