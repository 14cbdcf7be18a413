// A self-signed certificate for a test host (RFC 5280). Browsers accept it if they are given its key's digest.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

/** @param {number} tag @param {...Uint8Array} parts @returns {Buffer} DER (X.690), for lengths of up to two bytes */
function der(tag, ...parts) {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const text = (/** @type {number} */ tag, /** @type {string} */ said) => der(tag, Buffer.from(said))
const ECDSA_SHA256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))

/** @param {number} at milliseconds since 1970 */
const time = (at) => text(0x18, `${new Date(at).toISOString().replace(/[-:T]|\..*/g, '')}Z`)

/**
 * @param {string} host
 * @returns {{key: string, cert: string, spki: string}} key and certificate as PEM, and the key's digest for `--ignore-certificate-errors-spki-list`
 */
export function makeCertificate(host) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const info = publicKey.export({ type: 'spki', format: 'der' })
  const name = der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), text(0x0c, host))))
  const day = 86_400_000
  const names = der(0x30, der(0x06, Buffer.from('551d11', 'hex')), der(0x04, der(0x30, text(0x82, host))))
  const body = der(
    0x30,
    ...[der(0xa0, der(0x02, Buffer.from([2]))), der(0x02, Buffer.from([1])), ECDSA_SHA256, name],
    ...[der(0x30, time(Date.now() - day), time(Date.now() + day)), name, info],
    der(0xa3, der(0x30, names)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = der(0x30, body, ECDSA_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    spki: createHash('sha256').update(info).digest('base64'),
  }
}
