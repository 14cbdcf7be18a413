// How a merchant checks an authorisation offline with only this package, and the example in docs/payment.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnclave } from '../create-enclave.ts'
import { answerOf, isRefusal } from '../errors.ts'
import type { AuthorizePaymentAnswer } from '../generated/contract.ts'
import type { Enclave, EnclaveExport } from '../types.ts'

const SHOP = 'did:web:shop.example'
const ASKED = { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'A-1001' }
const ARGS = { payee: SHOP, amount: 2500, currency: 'GBP', order: 'A-1001' }
const TERMS = { payees: [SHOP], max: 5000, currency: 'GBP', budget: { period: 'day', payments: 10 } } as const

let vault: Enclave
let merchant: Enclave
let agent: Enclave
beforeAll(async () => {
  const start = async () => {
    const enclave = await createEnclave()
    await enclave.call('create_vault', { passphrase: 'four words that no one guesses' }).then(answerOf)
    return enclave
  }
  vault = await start()
  agent = await start()
  merchant = await createEnclave({ keyless: true })
})
afterAll(() => Promise.all([vault, merchant, agent].map((enclave) => enclave?.close())))

async function refusal(enclave: Enclave, name: EnclaveExport, input: unknown): Promise<string | undefined> {
  const answer = await enclave.callByName(name, input)
  return isRefusal(answer) ? answer.name : 'answered'
}

const validate = (invocation: string, checks: object = {}) =>
  merchant.call('validate_invocation', { invocation, audience: SHOP, skew: 0, ...checks }).then(answerOf)

describe('an authorisation', () => {
  let paid: AuthorizePaymentAnswer
  beforeAll(async () => {
    paid = await vault.call('authorize_payment', { payment: ASKED, minutes: 5 }).then(answerOf)
  })

  it('says what was shown, to the merchant that asked', async () => {
    expect(paid.payment).toEqual(await merchant.call('check_payment', ASKED).then(answerOf))
    const verdict = await validate(paid.token)
    expect(verdict).toMatchObject({ valid: true, command: '/payment/authorize', args: ARGS, chain: [] })
    expect(verdict).toMatchObject({
      issuer: paid.issuer,
      subject: paid.issuer,
      task: paid.task,
      cid: paid.cid,
    })
  })

  const wrong: [string, (at: number) => object][] = [
    ['Replayed', () => ({ seen: [paid.cid] })],
    ['Expired', (at) => ({ now: at + 1 })],
    ['InvalidAudience', () => ({ audience: 'did:web:shop.example%3A8443' })],
    ['InvalidAudience', () => ({ audience: 'did:web:sh0p.example' })],
  ]
  it.each(wrong)('is refused as %s', async (name, checks) => {
    const verdict = await validate(paid.token, checks(paid.expires_at ?? 0))
    expect(verdict).toMatchObject({ valid: false, error: { name } })
  })

  it('is invalid if any byte of it is changed', async () => {
    const packed = Buffer.from(paid.token.slice(1), 'base64url')
    const bytes = paid.token.startsWith('P') ? gunzipSync(packed) : packed
    const at = bytes.indexOf('GBP')
    expect(at).toBeGreaterThan(0)
    bytes.write('USD', at)
    const verdict = await validate(`C${bytes.toString('base64url')}`)
    expect(verdict).toMatchObject({ valid: false, error: { name: 'InvalidSignature' } })
  })
})

describe('a mandate with a budget', () => {
  it('authorises exactly 10 of 50 payments asked for at once', async () => {
    const { cid } = await vault.call('make_mandate', TERMS).then(answerOf)
    const asked = Array.from({ length: 50 }, (_, order) => ({ ...ASKED, order: `B-${order}` }))
    const answers = await Promise.all(
      asked.map((payment) => vault.call('spend_mandate', { cid, payment, by_itself: true })),
    )
    const refused = answers.filter((answer) => isRefusal(answer))
    expect(refused.map(({ name }) => name)).toEqual(Array(40).fill('BudgetExceeded'))
    const { mandates } = await vault.call('list_mandates', {}).then(answerOf)
    const stored = mandates.find((mandate) => mandate.cid === cid)
    expect(stored).toMatchObject({
      remaining: { payments: 0 },
      total: { amount: 25_000, payments: 10 },
      own: true,
    })
  })

  it('gives its holder nothing that a merchant accepts, and the vault countersigns each request once', async () => {
    const holder = await agent.call('get_issuer_did', {}).then(answerOf)
    const mandate = await vault
      .call('make_mandate', {
        ...TERMS,
        audience_did: holder.issuer_did,
      })
      .then(answerOf)
    const invoke = { args: ARGS, subject_did: mandate.issuer, proof_token: mandate.token }
    const alone = { ...invoke, command: '/payment/authorize', audience_did: SHOP }
    expect(await refusal(agent, 'invoke', alone)).toBe('InvalidCommand')

    const request = await agent.call('invoke', { ...invoke, command: '/payment/request' }).then(answerOf)
    expect(await validate(request.token)).toMatchObject({ error: { name: 'InvalidAudience' } })
    const answer = await vault.call('countersign_payment', { request: request.token }).then(answerOf)
    const links = { mandate: { '/': mandate.cid }, request: { '/': request.cid } }
    expect(await validate(answer.token)).toMatchObject({ valid: true, args: { ...ARGS, ...links } })
    expect(await refusal(vault, 'countersign_payment', { request: request.token })).toBe('Replayed')
    expect(await refusal(agent, 'countersign_payment', { request: request.token })).toBe('InvalidAudience')
  })
})

describe('docs/payment.md', () => {
  const folder = mkdtempSync(fileURLToPath(new URL('../../dist/payment-', import.meta.url)))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('has an example that runs as printed', async () => {
    const page = readFileSync(new URL('../../../../docs/payment.md', import.meta.url), 'utf8')
    const [, example = ''] = /## A merchant’s check\n[\s\S]*?```js\n([\s\S]+?)```/.exec(page) ?? []
    expect(example).toContain('validate_invocation')
    const { token } = await vault.call('authorize_payment', { payment: ASKED }).then(answerOf)
    const script = join(folder, 'check.mjs')
    writeFileSync(script, example.replace("'@keyhole/enclave'", "'../index.js'"))
    const { check, enclave } = await import(/* @vite-ignore */ pathToFileURL(script).href)
    const order = { amount: 2500, currency: 'GBP', reference: 'A-1001' }
    await expect(check(token, { ...order, amount: 2501 })).rejects.toThrow('amount')
    await expect(check(token, { ...order, currency: 'EUR' })).rejects.toThrow('currency')
    await expect(check(token, { ...order, reference: 'A-1002' })).rejects.toThrow('order')
    await expect(check(token, order)).resolves.toMatchObject({ command: '/payment/authorize' })
    await expect(check(token, order)).rejects.toThrow('Replayed')
    const { issuer_did: subject_did } = await vault.call('get_issuer_did', {}).then(answerOf)
    const self = { command: '/payment/authorize', audience_did: SHOP, subject_did, args: ARGS }
    const day = Math.floor(Date.now() / 1000) + 86_400
    for (const expires_at of [null, day]) {
      const lasting = await vault.call('invoke', { ...self, expires_at }).then(answerOf)
      await expect(check(lasting.token, order)).rejects.toThrow('longer than an hour')
    }
    await enclave.close()
  })
})
