import { answerOf, createEnclave } from '@keyhole/enclave'

const enclave = await createEnclave()
answerOf(await enclave.call('create_vault', { passphrase: 'four words that no one guesses' }))
const { issuer_did } = answerOf(await enclave.call('get_issuer_did'))

const grant = { audience_did: issuer_did, command: '/notes/read' }
const { token } = answerOf(await enclave.call('new_origin_token', grant))
const { valid } = answerOf(await enclave.call('verify_token', { token }))
console.log(valid)

await enclave.close()
