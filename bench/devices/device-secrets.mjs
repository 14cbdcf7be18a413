// What a relay has and hears: its disk, and everything that two devices send and get, searched for keys, labels, names, DIDs and token text.
// Each is searched for as it is, and in hexadecimal and base64, also inside what is base64 itself.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { natsServer } from '../../scripts/cluster/nats-server.mjs'
import { startRelays, startSite } from '../../scripts/cluster/sites.mjs'
import { expect } from '../measure.mjs'
import { addDevice, startDevice } from './start-device.mjs'

const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
/** Long enough that none is found by accident. */
const NAMES = {
  account: 'Account-Ottilie-7741',
  laptop: 'Laptop-Ottilie-2210',
  phone: 'Phone-Ottilie-3381',
  label: 'Label-Ottilie-9120',
  contact: 'Contact-Ottilie-5514',
  key: 'Key-Ottilie-6607',
}

/** @param {string} folder @returns {Buffer[]} The content of every file below. */
function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesOf(path)
    return statSync(path).isFile() ? [readFileSync(path)] : []
  })
}

/** Bytes that a text has in base64, wherever it begins in what was encoded. @param {Buffer} bytes */
function inBase64(bytes) {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and last characters also depend on what is beside them.
    const inner = text.slice(shift === 0 ? 0 : shift + 1, -2)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** @param {Buffer} bytes @returns {Buffer[]} */
const formsOf = (bytes) => [
  bytes,
  Buffer.from(bytes.toString('hex')),
  Buffer.from(bytes.toString('hex').toUpperCase()),
  ...inBase64(bytes).map((text) => Buffer.from(text)),
]

/** What is in base64 or base64url in it, decoded. @param {Buffer} bytes @returns {Buffer[]} */
const decoded = (bytes) =>
  [...bytes.toString('latin1').matchAll(/[\w+/-]{24,}/g)].map(([text]) => Buffer.from(text, 'base64url'))

/** @param {string} kind @param {string} folder @param {string} relay */
async function search(kind, folder, relay) {
  const { privateKey, publicKey: half } = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(String(half.export({ format: 'jwk' }).x), 'base64url')
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const seed = Buffer.from(String(createPrivateKey(pem).export({ format: 'jwk' }).d), 'base64url')
  const laptop = await startDevice()
  /** @type {import('./start-device.mjs').DeviceProcess | undefined} */
  let phone
  try {
    await laptop.call('wire', true)
    const { code, issuerDid, address } = await laptop.call('create', NAMES.account)
    await laptop.call('start', relay, NAMES.laptop)
    phone = await addDevice(laptop, relay, NAMES.phone)
    await phone.call('wire', true)
    const seen = phone.call('sees', NAMES.label)
    const { token, cid } = await laptop.call('grant', NAMES.label)
    await seen
    await phone.call('contact', NAMES.contact, STRANGER)
    await phone.call('inStep')
    const did = await laptop.call('importKey', pem, NAMES.key)
    await laptop.call('grant', `${NAMES.label}, too`)
    await Promise.all([laptop.call('inStep'), phone.call('inStep')])
    await phone.call('contactSeen', NAMES.contact)
    const wire = [...(await laptop.call('wire', false)), ...(await phone.call('wire', false))]
    /** @type {[string, Buffer][]} */
    const needles = [
      ...Object.entries(NAMES).map(
        ([name, text]) => /** @type {[string, Buffer]} */ ([name, Buffer.from(text)]),
      ),
      ['a private key', seed],
      ['a key’s DID', Buffer.from(did)],
      ['a public key, which a DID is made of', publicKey],
      ['the account’s DID', Buffer.from(issuerDid)],
      ['the account’s address', Buffer.from(address)],
      ['the audience’s DID', Buffer.from(STRANGER)],
      ['a token’s text', Buffer.from(token.slice(8, 72))],
      ['a token’s CID', Buffer.from(cid)],
      ['the recovery code', Buffer.from(code)],
      ['the recovery code without hyphens', Buffer.from(code.replaceAll('-', ''))],
    ]
    const disk = filesOf(folder)
    const traffic = wire.map((/** @type {string} */ text) => Buffer.from(text))
    const count = (/** @type {readonly Buffer[]} */ texts) =>
      texts.reduce((sum, { length }) => sum + length, 0)
    expect(count(traffic) > 10_000 && count(disk) > 5_000, 'there is something to search')
    /** @type {string[]} */
    const found = []
    for (const [where, texts] of /** @type {const} */ ([
      ['disk', disk],
      ['traffic', traffic],
    ])) {
      const all = [...texts, ...texts.flatMap(decoded)]
      for (const [what, bytes] of needles)
        if (formsOf(bytes).some((form) => all.some((text) => text.includes(form))))
          found.push(`${what} on its ${where}`)
    }
    // The search finds what is there.
    expect(
      traffic.some((text) => text.includes('records/append')),
      'the traffic was seen',
    )
    return {
      title: `What a relay in ${kind} has and hears of two devices`,
      note: `${needles.length} secrets and names, each in seven forms or more, also inside base64. Bar: none is found.${found.length > 0 ? ` **Found: ${found.join('; ')}.**` : ''}`,
      rows: [
        { name: 'found', unit: '', value: found.length },
        { name: 'searched on its disk', unit: 'KB', value: count(disk) / 1_000 },
        { name: 'searched in its traffic', unit: 'KB', value: count(traffic) / 1_000 },
      ],
    }
  } finally {
    await phone?.kill()
    await laptop.kill()
  }
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  /** @type {import('../measure.mjs').Figure[]} */
  const made = []
  try {
    const site = await startSite(join(folder, 'embedded'))
    try {
      made.push(await search('a folder', join(folder, 'embedded'), site.relay))
    } finally {
      await site.close()
    }
    const program = natsServer()
    if (program === undefined) return made
    const cluster = await startRelays(program, join(folder, 'nats'), 1)
    try {
      made.push(await search('a NATS cluster', join(folder, 'nats'), cluster.relay))
    } finally {
      await cluster.close()
    }
    return made
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
