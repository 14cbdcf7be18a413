import type { PaymentRecord } from '@keyhole/vault'
import { expect, it } from 'vitest'
import { PaymentOver } from './payment-line.ts'
import { Signing, type ToSign } from './signing.ts'

const ASKED = { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'A-1' }
const TERMS = { payee: 'did:web:shop.example', amount: 2500, currency: 'GBP', digits: 2, order: 'A-1' }
const payment = (id: string, change: Partial<PaymentRecord> = {}): PaymentRecord => ({
  ...{
    id,
    task: `task of ${id}`,
    token: `token of ${id}`,
    at: 1_000,
    expiresAt: 2_000,
    issuer: 'did:key:z6Mk',
  },
  ...{ ...TERMS, by: 'hand' },
  ...change,
})
const FAILED = new Error('The state could not be stored.')

/** A window with permission to sign, and an account in which chosen steps fail. */
function setting() {
  const stored: PaymentRecord[] = [payment('earlier')]
  const said: string[] = []
  const goes = { signing: async (): Promise<PaymentRecord> => payment('p-1'), reading: async () => stored }
  const signing = new Signing({
    askToSign: async () => void said.push('sign'),
    notSigned: () => void said.push('not signed'),
    unsure: () => void said.push('unsure'),
  })
  const wanted: ToSign = {
    ...{ address: 'alice', asked: ASKED, terms: TERMS, options: {} },
    vault: { payments: { authorize: () => goes.signing(), list: () => goes.reading() } },
  }
  return { stored, said, goes, signing, wanted }
}

it('signs with permission', async () => {
  const { signing, wanted, said } = setting()
  expect(await signing.sign(wanted)).toEqual(payment('p-1'))
  expect(said).toEqual(['sign'])
})

it('if nothing was signed it says so, and may sign again with new permission', async () => {
  const { signing, wanted, said, goes, stored } = setting()
  goes.signing = () => {
    // From a mandate's holder, for the very same order.
    stored.push(payment('another', { by: 'request' }))
    return Promise.reject(FAILED)
  }
  await expect(signing.sign(wanted)).rejects.toBe(FAILED)
  expect(said).toEqual(['sign', 'not signed'])
  goes.signing = async () => payment('p-2')
  expect(await signing.sign(wanted)).toEqual(payment('p-2'))
  expect(said).toEqual(['sign', 'not signed', 'sign'])
})

it('what was stored is the answer, even if a later step failed', async () => {
  const { signing, wanted, said, goes, stored } = setting()
  goes.signing = () => {
    stored.push(payment('p-1'))
    return Promise.reject(FAILED)
  }
  expect(await signing.sign(wanted)).toEqual(payment('p-1'))
  expect(said).toEqual(['sign'])
})

it('while it can’t tell what was signed, it signs nothing else', async () => {
  const { signing, wanted, said, goes, stored } = setting()
  const { reading } = goes
  let signed = 0
  goes.signing = () => {
    signed += 1
    stored.push(payment('p-1'))
    goes.reading = () => Promise.reject(new Error('The vault is locked.'))
    return Promise.reject(FAILED)
  }
  await expect(signing.sign(wanted)).rejects.toBe(FAILED)
  await expect(signing.sign(wanted)).rejects.toThrow('The vault is locked.')
  expect(said).toEqual(['sign', 'unsure'])
  goes.reading = reading
  // The window now knows more than when it started.
  const known = new Set(stored.map(({ id }) => id))
  await expect(signing.sign({ ...wanted, known, address: 'bob' })).rejects.toMatchObject({
    name: 'BegunElsewhere',
  })
  expect(await signing.sign({ ...wanted, known })).toEqual(payment('p-1'))
  expect(signed).toBe(1)
})

it('a payment that differs from what was shown is never passed on, and nothing is signed after it', async () => {
  const { signing, wanted, said, goes } = setting()
  goes.signing = async () => payment('p-1', { amount: 2501 })
  await expect(signing.sign(wanted)).rejects.toMatchObject({ name: 'OtherPayment' })
  goes.signing = async () => payment('p-2')
  await expect(signing.sign(wanted)).rejects.toMatchObject({ name: 'OtherPayment' })
  expect(said).toEqual(['sign'])
})

it('signs nothing if the account can’t be read or the site no longer waits', async () => {
  const { wanted, goes, signing } = setting()
  goes.reading = () => Promise.reject(new Error('It cannot be read.'))
  goes.signing = () => Promise.reject(new Error('It was signed.'))
  await expect(signing.sign(wanted)).rejects.toThrow('It cannot be read.')
  const over = new Signing({
    askToSign: () => Promise.reject(new PaymentOver('The site waits no more.')),
    notSigned: () => {},
    unsure: () => {},
  })
  await expect(over.sign({ ...wanted, known: new Set() })).rejects.toBeInstanceOf(PaymentOver)
})
