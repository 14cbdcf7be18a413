// Everything that a person does in a vault, on either of two devices that are cut off from each other: afterwards both have it.
import { expect, it } from 'vitest'
import { openedByPasskey, passkeyProof } from '../../test/opening.ts'
import { Device, isInStep, laptopAndPhone, paired, relay, wire } from '../../test/paired-vaults.ts'
import { separateBrowsers, TestBrowser } from '../../test/two-browsers.ts'

separateBrowsers()

const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const TASK = 'bafyreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
const PAYEE = 'did:web:shop.example'
const FILE = 'four horses under one old roof'
const cut = new Set<TestBrowser>()

async function together(): Promise<[Device, Device]> {
  await relay()
  cut.clear()
  const [laptop, phone] = await laptopAndPhone()
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  await laptop.until((state) => isInStep(state) && state.devices.every(({ lastHeard }) => lastHeard))
  wire.instead = () =>
    TestBrowser.here && cut.has(TestBrowser.here)
      ? Promise.reject(new TypeError('Failed to fetch'))
      : undefined
  return [laptop, phone]
}

const grant = (device: Device, label: string, audience = STRANGER) =>
  device.within(() => device.vault.tokens.grant({ audience_did: audience, command: '/msg/send', label }))

/** Everything of a vault that a person can see, without what each device has of its own. */
async function seen({ vault }: Device): Promise<Record<string, unknown>> {
  const snapshot = vault.getSnapshot()
  const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).sort()
  const tokens = await vault.tokens.list()
  const mandates = await vault.mandates.list()
  return {
    account: snapshot.label,
    autoLock: snapshot.autoLock,
    keys: sorted(snapshot.keys.map(({ did, label, is_default: isDefault }) => ({ did, label, isDefault }))),
    tokens: sorted(tokens.map(({ cid, label, type }) => ({ cid, label, type }))),
    revocations: sorted((await vault.tokens.revocations()).map(({ cid }) => cid)),
    receipts: sorted((await vault.tokens.receipts()).map(({ cid }) => cid)),
    contacts: sorted((await vault.contacts.list()).map(({ name, kind, dids }) => ({ name, kind, dids }))),
    templates: sorted((await vault.templates.list()).map(({ name, command }) => ({ name, command }))),
    handovers: sorted((await vault.handovers.list()).map(({ cid, openedAt }) => ({ cid, openedAt }))),
    sessions: sorted((await vault.sessions.list()).map(({ id }) => id)),
    mandates: sorted(mandates.map(({ cid, used, ended }) => ({ cid, used, ended }))),
    payments: sorted((await vault.payments.list()).map(({ order, amount }) => ({ order, amount }))),
    methods: sorted((await vault.unlockMethods.list()).map(({ kind, label }) => ({ kind, label }))),
  }
}

/** Connects all, and resolves once they show the same, and what a test expects. */
async function meet(devices: readonly Device[], is: (one: Record<string, unknown>) => boolean = () => true) {
  cut.clear()
  for (const device of devices) await device.devices.retry()
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stops = devices.map(({ vault }) => vault.on('vault:changed', () => end()))
      const end = () => {
        for (const stop of stops) stop()
        resolve()
      }
    })
    const all = await Promise.all(devices.map((device) => device.within(() => seen(device))))
    const [first] = all
    const [text, ...others] = all.map((each) => JSON.stringify(each))
    if (first && others.every((other) => other === text) && is(first)) return first
    await changed
  }
}

/** What was there before two devices were cut off, for each of them. */
interface Before {
  /** A grant to a stranger, to revoke. */
  readonly cid: string
  /** A grant by someone else to the account, to receive. */
  readonly received: string
  /** Who that is. */
  readonly friend: string
}

/** What a person does, with names of the device's own. */
async function everything(device: Device, name: string, before: Before): Promise<void> {
  const { vault } = device
  await device.within(async () => {
    const own = vault.getSnapshot().issuerDid ?? ''
    const given = await vault.tokens.grant({
      ...{ audience_did: STRANGER, command: '/msg', label: `${name} grants` },
    })
    const { token } = await vault.tokens.receive(before.received, { label: `${name} receives` })
    await vault.tokens.narrow({
      ...{ parent_token: token, audience_did: STRANGER, command: '/msg/send', label: `${name} narrows` },
    })
    await vault.tokens.invoke({
      ...{ command: '/msg/send', args: { name }, subject_did: before.friend, proof_token: token },
    })
    await vault.tokens.revoke({ cid: before.cid })
    await vault.tokens.issueReceipt({ task: TASK, ok: { name }, label: `${name} answers` })
    const ann = await vault.contacts.save({ name: `Ann of ${name}`, kind: 'person', dids: [] })
    await vault.contacts.rename(ann.id, `Anna of ${name}`)
    const gone = await vault.contacts.save({ name: `Gone of ${name}`, kind: 'app', dids: [] })
    await vault.contacts.remove(gone.id)
    await vault.templates.save({
      name: `Template of ${name}`,
      command: '/msg/read',
      policy: '[]',
      lifetime: 3_600,
    })
    await vault.handovers.add({
      ...{ cid: given.cid ?? '', issuer: own, audience: own, secret: 'A'.repeat(22) },
    })
    const expires = Math.floor(Date.now() / 1_000) + 3_600
    const command = { audience_did: STRANGER, expires_at: expires }
    await vault.sessions.connect({ grant: { ...command, command: `/${name}/stays` } })
    const ended = await vault.sessions.connect({ grant: { ...command, command: `/${name}/ends` } })
    await vault.sessions.end(ended.session?.id ?? '')
    const { mandate } = await vault.mandates.make({
      ...{ payees: [PAYEE], max: 5_000, currency: 'GBP' },
      budget: { period: 'month', amount: 20_000, payments: 10 },
    })
    const asked = { origin: 'https://shop.example', value: '10.00', currency: 'GBP', order: `${name}-1` }
    await vault.payments.authorize(asked, { mandate: mandate.cid, byItself: true })
    const [removed] = (await vault.tokens.list()).filter(({ label }) => label === `${name} removes`)
    await vault.tokens.remove(removed?.id ?? '')
  })
}

it('what is done on either of two devices that are cut off is on both afterwards', {
  timeout: 300_000,
}, async () => {
  const all = await together()
  const [laptop, phone] = all
  const friend = await new Device().start()
  await friend.within(() => friend.vault.create(openedByPasskey({}, 9)))
  const own = laptop.vault.getSnapshot().issuerDid ?? ''
  const of = async (device: Device, label: string): Promise<Before> => {
    const [{ cid = '' }, { token }] = [await grant(device, label), await grant(friend, label, own)]
    return { cid, received: token, friend: friend.vault.getSnapshot().issuerDid ?? '' }
  }
  const before = [await of(laptop, 'laptop’s'), await of(phone, 'phone’s')] as const
  for (const name of ['laptop', 'phone']) await grant(laptop, `${name} removes`)
  await meet(all, ({ tokens }) => Object(tokens).length === 4)
  for (const { browser } of all) cut.add(browser)
  await everything(laptop, 'laptop', before[1])
  await everything(phone, 'phone', before[0])
  await phone.within(() => phone.vault.accounts.label('Ada Lovelace'))
  await phone.within(() => phone.vault.settings.setAutoLock(300_000))
  const [here, there] = [await laptop.within(() => seen(laptop)), await phone.within(() => seen(phone))]
  // Killed before anything was sent.
  await laptop.restart()
  const both = await meet(all)
  const counts = {
    receipts: 2,
    sessions: 2,
    mandates: 2,
    payments: 2,
    contacts: 2,
    templates: 2,
    handovers: 2,
  }
  // Ended sessions revoke their grants.
  for (const [kind, count] of Object.entries({ ...counts, revocations: 4 })) {
    const union = new Set([here, there].flatMap((one) => Object(one[kind])))
    expect(new Set(Object(both[kind])), kind).toEqual(union)
    expect(union.size, kind).toBe(count)
  }
  // The grants that were removed are gone, and those of both that were revoked stay, as ended ones.
  expect(Object(both.tokens).filter((text: string) => text.includes('removes'))).toEqual([])
  for (const text of [...Object(here.tokens), ...Object(there.tokens)])
    if (!text.includes('removes') && !text.includes('’s"')) expect(both.tokens).toContain(text)
  expect(both).toMatchObject({ account: 'Ada Lovelace', autoLock: 300_000 })
})

it('keys, unlock methods and a backup that is brought in are on both', { timeout: 300_000 }, async () => {
  const all = await together()
  const [laptop, phone] = all
  await grant(laptop, 'kept')
  const file = await laptop.within(() =>
    laptop.vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE }),
  )
  const [token] = await laptop.within(() => laptop.vault.tokens.list())
  await laptop.within(() => laptop.vault.tokens.remove(token?.id ?? ''))
  await meet(all, ({ tokens }) => Object(tokens).length === 0)
  const made = await phone.within(() => phone.vault.keys.generate({ label: 'second' }))
  await phone.within(() => phone.vault.keys.setDefault(made.key_id))
  // Before the laptop has heard of the first name, neither of the two would be the later one.
  await meet(all, ({ keys }) => String(keys).includes('"second","isDefault":true'))
  await laptop.within(() => laptop.vault.keys.label(made.key_id, 'The second'))
  // What a backup has is back on both, although only one has read it.
  cut.add(phone.browser)
  await phone.within(() => phone.vault.importVault({ text: file.text, exportPassphrase: FILE }))
  const both = await meet(
    all,
    ({ tokens, keys }) => Object(tokens).length === 1 && String(keys).includes('The second'),
  )
  expect(String(both.keys)).toContain('"label":"The second","isDefault":true')
})
