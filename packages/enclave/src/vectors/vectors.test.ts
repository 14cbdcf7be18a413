import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnclave } from '../create-enclave.ts'
import { isRefusal } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { Enclave, EnclaveExport } from '../types.ts'

const folder = new URL('../../../../vectors/', import.meta.url)
const file = (name: string) => readFileSync(new URL(name, folder))
const json = (name: string) => JSON.parse(file(name).toString())

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave()
})
afterAll(() => enclave.close())

async function call(name: EnclaveExport, input: unknown): Promise<Record<string, unknown>> {
  const answer = await enclave.callByName(name, input)
  if (isRefusal(answer)) throw new Error(`${answer.code}: ${answer.error}`)
  return Object(answer)
}

describe('the official delegations, through the built wasm', () => {
  for (const { name, token, cid, envelope } of json('ucan-1.0.0/delegation.json').valid) {
    const { nonce, ...payload } = envelope.payload

    it.each([
      ['base64', token],
      ['base64url', Buffer.from(token, 'base64').toString('base64url')],
      ['hex', Buffer.from(token, 'base64').toString('hex')],
    ])(`decodes '${name}' from %s`, async (_encoding, text) => {
      const { tokens } = await call('inspect_token', { token: text })
      expect(tokens).toMatchObject([
        { cid, kind: 'delegation', algorithm: 'Ed25519', signature_valid: true, payload },
      ])
      expect(JSON.stringify(tokens)).toContain(`{"/":{"bytes":"${nonce.replace(/=+$/, '')}"}}`)
    })

    it(`verifies '${name}' until it expires, within the clock skew`, async () => {
      const { exp } = payload
      expect(await call('verify_token', { token, now: exp, skew: 0 })).toMatchObject({
        valid: true,
        chain: [{ cid }],
      })
      expect(await call('verify_token', { token, now: exp + 60 })).toMatchObject({ valid: true })
      expect(await call('verify_token', { token, now: exp + 61 })).toMatchObject({
        valid: false,
        error: { name: 'Expired', cid },
      })
    })

    it(`refuses '${name}' if any byte of it is changed`, async () => {
      const bytes = Buffer.from(token, 'base64')
      const changed = Array.from(bytes, async (byte, at) => {
        const copy = Buffer.from(bytes)
        copy[at] = byte ^ 1
        const input = { token: copy.toString('base64'), now: payload.exp, skew: 0 }
        const answer = await enclave.call('verify_token', input)
        expect(!isRefusal(answer) && answer.valid, `byte ${at}`).toBe(false)
      })
      await Promise.all(changed)
    })
  }
})

/** A raw container as text: the same bytes in base64url, with its header. */
function asText(raw: Buffer): string {
  const header = raw.toString('latin1', 0, 1) === '@' ? 'C' : 'P'
  return header + raw.toString('base64url', 1)
}

describe('the containers of release candidates', () => {
  it.each(readdirSync(new URL('container/', folder)))(
    '%s opens, and its tokens are refused by name',
    async (name) => {
      const raw = file(`container/${name}`)
      const token = name.startsWith('Bytes') ? asText(raw) : raw.toString().trim()
      for (const answer of [
        await enclave.call('verify_token', { token }),
        await enclave.call('inspect_token', { token }),
      ]) {
        expect(JSON.stringify(answer)).toContain('UnsupportedVersion')
      }
    },
  )
})

describe('our own formats, through the built wasm', () => {
  it('opens and unlocks seal-v1', async () => {
    const { state, passphrase, keys, address, record, label } = json('keyhole/seal-v1.json')
    const vault = await createEnclave()
    try {
      await vault.call('open_vault', { enclave: state })
      expect(await vault.call('unlock_vault', { proof: { passphrase: 'another passphrase' } })).toMatchObject(
        {
          code: 'INVALID_PASSPHRASE',
        },
      )
      expect(await vault.call('unlock_vault', { proof: { passphrase } })).toMatchObject({
        status: {
          address,
          label,
          keys: keys.map(({ id, type, did }: Record<string, string>) => ({
            key_id: id,
            key_type: type,
            did,
          })),
        },
      })
      const { context, plaintext, sealed } = record
      expect(await vault.call('open_records', { records: [{ context, sealed }] })).toEqual({
        records: [{ plaintext }],
      })
    } finally {
      await vault.close()
    }
  })

  it('imports backup-v1, integers to the last digit', async () => {
    const { backup, export_passphrase, contents, address } = json('keyhole/backup-v1.json')
    const vault = await createEnclave()
    try {
      const passphrase = 'a passphrase of its own'
      expect(await vault.call('import_vault', { backup, export_passphrase, passphrase })).toMatchObject({
        status: { address, locked: false },
        contents: parseJson(contents),
      })
    } finally {
      await vault.close()
    }
  })
})

it('contains every vector file', () => {
  const covered = [
    'argon2',
    'container',
    'cost',
    'generate',
    'keyhole',
    'keys',
    'ucan-1.0.0',
    'wycheproof',
    'README.md',
  ]
  expect(readdirSync(folder).sort()).toEqual(covered.sort())
  expect(existsSync(new URL('ucan-1.0.0/delegation.json', folder))).toBe(true)
})
