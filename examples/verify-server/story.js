import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEnclave } from '@keyhole/enclave'

// The owner, whose resources the server guards, and a friend, each with a separate vault.
const passphrase = 'four words that nobody guesses'
const [owner, friend] = [await createEnclave(), await createEnclave()]
const { status: me } = await owner.call('create_vault', { passphrase })
const { status: you } = await friend.call('create_vault', { passphrase })

const data = await mkdtemp(join(tmpdir(), 'verify-server-'))
Object.assign(process.env, { DID: me.issuer_did, DATA: data, PORT: '0' })
const { server } = await import('./server.js')
if (!server.listening) await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}`

/** Uses the grant to call the server. */
async function ask(grant) {
  const { token } = await friend.call('invoke', {
    command: '/notes/read',
    args: { folder: 'recipes' },
    subject_did: me.issuer_did,
    proof_token: grant.token,
  })
  const headers = { Authorization: `Bearer ${token}` }
  for (const time of ['the first time', 'again']) {
    const response = await fetch(`${url}/notes/read`, { method: 'POST', headers })
    const { error, command } = await response.json()
    console.log(time, response.status, error?.name ?? command)
  }
}

const grant = await owner.call('new_origin_token', {
  audience_did: you.issuer_did,
  command: '/notes',
  policy: [['==', '.folder', 'recipes']],
})
await ask(grant)

const revocation = await owner.call('revoke', { cid: grant.cid, token: grant.token })
await fetch(`${url}/revocations`, { method: 'POST', body: revocation.token })
await ask(grant)

server.close()
await Promise.all([owner.close(), friend.close()])
