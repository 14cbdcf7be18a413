// Receipts for payments on the real enclave: only the payee's own are stored.
import { createEnclave } from '@keyhole/enclave'
import { describe, expect, it, vi } from 'vitest'
import { Link } from '../../../enclave/src/test/naive-evaluator.ts'
import { container, invocation, type Person, person, record } from '../../../enclave/src/test/naive-tokens.ts'
import type { PaymentRecord } from '../enclave/payment.ts'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'

freshBrowser()
const vaults = new OpenVaults()

const COFFEE = { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'A-1001' }
const key = person(7)
const shop: Person = { ...key, did: 'did:web:shop.example' }

async function alice(dependencies = {}): Promise<KeyVault> {
  const vault = await vaults.start({}, dependencies)
  await vault.create(openedByPasskey())
  return vault
}

/** The bytes of a CID in base32. */
function bytesOf(cid: string): Buffer {
  const bits = [...cid.slice(1)]
    .map((letter) => 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A receipt as a payee makes it with any UCAN library. */
function receipt(signer: Person, about: string, out: 'ok' | 'error' = 'ok', changes = {}): string {
  const facts = record({ out: record({ [out]: record({}) }), run: [] })
  const args = record({ about: new Link(bytesOf(about)), facts })
  return container([invocation(signer, signer, [], { cmd: '/ucan/assert', args, exp: null, ...changes })])
}

const named = (name: string) => ({ code: 'OPERATION_FAILED', details: { name } })
const without = ({ receipt: _, ...payment }: PaymentRecord) => payment

describe('a receipt', () => {
  it.each(['ok', 'error'] as const)(
    'signed by the key that the payee named is stored: %s',
    async (outcome) => {
      const vault = await alice()
      const paid = await vault.payments.authorize({ ...COFFEE, receiptKey: key.did })
      await vault.payments.authorize({ ...COFFEE, order: 'A-1002', receiptKey: key.did })
      const changes: string[] = []
      vault.on('vault:changed', ({ change }) => changes.push(change))
      const token = receipt(key, paid.task, outcome)
      const stored = await vault.payments.addReceipt(` ${token}\n`)
      expect(without(stored)).toEqual(paid)
      expect(stored.receipt).toMatchObject({ token, outcome })
      expect(changes).toEqual(['payments'])
      expect((await vault.activity.read()).lines.at(-1)).toMatchObject({
        act: 'addReceipt',
        about: { payment: paid.id, task: paid.task, outcome },
      })
      expect((await vault.payments.list()).find(({ id }) => id === paid.id)).toEqual(stored)
      // The same receipt again changes nothing, and a different one doesn't replace it.
      expect(await vault.payments.addReceipt(token)).toEqual(stored)
      const other = receipt(key, paid.task, outcome === 'ok' ? 'error' : 'ok')
      await expect(vault.payments.addReceipt(other)).rejects.toMatchObject(named('ReceiptExists'))
      expect((await vault.payments.list()).find(({ id }) => id === paid.id)).toEqual(stored)
    },
  )

  it('is stored once if two arrive together', async () => {
    const vault = await alice()
    const paid = await vault.payments.authorize({ ...COFFEE, receiptKey: key.did })
    const both = [receipt(key, paid.task, 'ok'), receipt(key, paid.task, 'error')]
    const all = await Promise.allSettled(both.map((token) => vault.payments.addReceipt(token)))
    expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('signed by the site itself is stored if its host may be asked', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: URL) => {
      asked.push(url.href)
      const method = { id: '#1', controller: shop.did, publicKeyMultibase: key.did.slice('did:key:'.length) }
      return Response.json({ id: shop.did, verificationMethod: [method], capabilityInvocation: ['#1'] })
    })
    const vault = await alice({ createEnclave })
    const paid = await vault.payments.authorize(COFFEE)
    await expect(vault.payments.addReceipt(receipt(shop, paid.task))).rejects.toThrow()
    expect(asked).toEqual([])
    await vault.settings.allowDidWebHosts(['shop.example'])
    expect(vault.settings.didWebHosts).toEqual(['shop.example'])
    expect(await vault.payments.addReceipt(receipt(shop, paid.task))).toMatchObject({
      receipt: { outcome: 'ok' },
    })
    expect(new Set(asked)).toEqual(new Set(['https://shop.example/.well-known/did.json']))
    const elsewhere: Person = { ...key, did: 'did:web:evil.example' }
    await expect(vault.payments.addReceipt(receipt(elsewhere, paid.task))).rejects.toMatchObject(
      named('InvalidReceipt'),
    )
    expect(asked.every((url) => url.startsWith('https://shop.example/'))).toBe(true)
  })

  it('that is not the payee’s, or not about a payment of this account, is refused and changes nothing', async () => {
    const vault = await alice()
    const paid = await vault.payments.authorize({ ...COFFEE, receiptKey: key.did })
    const stranger = person(8)
    const broken = { ...stranger, did: key.did }
    const { token: grant } = await vault.tokens.grant({ audience_did: stranger.did, command: '/a' })
    const twoOutcomes = record({ out: record({ ok: 1, error: 2 }), run: [] })
    const refusals: [text: string, name: string][] = [
      [receipt(stranger, paid.task), 'InvalidReceipt'],
      [receipt(broken, paid.task), 'InvalidSignature'],
      [receipt(shop, paid.task), 'InvalidSignature'],
      [receipt(key, paid.id), 'UnknownPayment'],
      [receipt(key, paid.task, 'ok', { cmd: '/msg' }), 'InvalidReceipt'],
      [receipt(key, paid.task, 'ok', { sub: stranger.did }), 'InvalidReceipt'],
      [receipt(key, paid.task, 'ok', { exp: 1n }), 'Expired'],
      [receipt(key, paid.task, 'ok', { args: record({ about: paid.task }) }), 'InvalidReceipt'],
      [
        receipt(key, paid.task, 'ok', {
          args: record({ about: new Link(bytesOf(paid.task)), facts: twoOutcomes }),
        }),
        'InvalidReceipt',
      ],
      [grant, 'InvalidReceipt'],
      ['nonsense', 'MalformedToken'],
    ]
    for (const [text, name] of refusals) {
      await expect(vault.payments.addReceipt(text), name).rejects.toMatchObject(named(name))
    }
    expect(await vault.payments.list()).toEqual([paid])
  })

  it('survives a merge with an older backup, even if the clock was set back', async () => {
    const vault = await alice()
    const paid = await vault.payments.authorize({ ...COFFEE, receiptKey: key.did })
    const request = { proof: passkeyProof(), exportPassphrase: 'another passphrase' }
    const { text } = await vault.exportVault(request)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 86_400_000)
    const stored = await vault.payments.addReceipt(receipt(key, paid.task))
    vi.restoreAllMocks()
    await vault.importVault({ text, exportPassphrase: request.exportPassphrase })
    expect(await vault.payments.list()).toEqual([stored])
  })
})
