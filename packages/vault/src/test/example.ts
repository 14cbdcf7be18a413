import { KeyVault } from '@keyhole/vault'

const vault = new KeyVault()
await vault.initialize()
await vault.create({ passphrase: 'correct horse battery staple', label: 'Alice' })

const grant = await vault.tokens.grant({
  audience_did: 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
  command: '/msg/send',
  policy: [['<', '.size', 1000]],
  label: 'Messages, short ones',
})
console.log(grant.token)

await vault.lock()
