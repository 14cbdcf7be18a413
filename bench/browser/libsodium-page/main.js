// libsodium's Argon2id in a page, at the parameters that an account is sealed under.
import sodium from 'libsodium-wrappers-sumo'

await sodium.ready
const salt = crypto.getRandomValues(new Uint8Array(sodium.crypto_pwhash_SALTBYTES))

/** Milliseconds that one derivation takes. */
window.derive = ({ passphrase, memoryKib, passes }) => {
  const start = performance.now()
  const { crypto_pwhash_ALG_ARGON2ID13: algorithm } = sodium
  sodium.crypto_pwhash(32, passphrase, salt, passes, memoryKib * 1024, algorithm)
  return performance.now() - start
}
document.body.dataset.ready = 'true'
