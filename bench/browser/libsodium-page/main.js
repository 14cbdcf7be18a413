// libsodium's Argon2id in a page, with the parameters that seal an account.
import sodium from 'libsodium-wrappers-sumo'

await sodium.ready
const salt = crypto.getRandomValues(new Uint8Array(sodium.crypto_pwhash_SALTBYTES))

/** Milliseconds for one derivation. */
window.derive = ({ passphrase, memoryKib, passes }) => {
  const start = performance.now()
  const { crypto_pwhash_ALG_ARGON2ID13: algorithm } = sodium
  sodium.crypto_pwhash(32, passphrase, salt, passes, memoryKib * 1024, algorithm)
  return performance.now() - start
}
document.body.dataset.ready = 'true'
