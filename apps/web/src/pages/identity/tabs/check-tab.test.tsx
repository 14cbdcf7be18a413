import { readFileSync } from 'node:fs'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Value } from '../../../../../../packages/enclave/src/test/naive-evaluator.ts'
import {
  container,
  delegation,
  invocation,
  person,
  revocation,
} from '../../../../../../packages/enclave/src/test/naive-tokens.ts'
import { linkFor, putHandedOverAway, takeHandedOver } from '../../../shared/tokens/handed-over.ts'
import { askForPayment } from '../../../test/asked-payment.ts'
import { EXAMPLE } from '../../../test/capability-request.ts'
import { openClient } from '../../../test/open-client.tsx'
import { givenByAnother, STRANGER } from '../../../test/open-vault.tsx'
import {
  card,
  chooseFile,
  fill,
  inside,
  lockByHand,
  openTab,
  press,
  sees,
  visit,
} from '../../../test/person.ts'

const { vault, create, load, reload } = openClient()

const HUGE = 10 * 1024 * 1024
const field = () => screen.findByLabelText<HTMLTextAreaElement>('Token')

/** The official delegation of UCAN 1.0.0: expired since, and signed by someone we have never met. */
function officialToken(): string {
  const file = new URL('../../../../../../vectors/ucan-1.0.0/delegation.json', import.meta.url)
  const found = /"token":\s*"([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1]
  return found ?? expect.fail('The official vector has no token.')
}

const EXPIRED = 'Do not rely on it. It has expired.'
const REVOKED = 'Do not rely on it. It was revoked.'

test('any token can be checked without a vault: the official one has expired', async () => {
  await load('/identity?tab=check')
  await fill('Token', officialToken())
  expect(await screen.findByText(EXPIRED)).toBeDefined()
  const chain = await card('The chain')
  expect(within(chain).getAllByText(/bafyreig/).length).toBeGreaterThan(0)
  expect(within(chain).getByText('It has expired.')).toBeDefined()
  fireEvent.click(await within(chain).findByText('Raw payload'))
  const payload = await within(chain).findByRole('region', { name: 'payload' })
  expect(payload.textContent).toContain('"cmd": "/account"')
})

test('a changed letter, a cut token and garbage are told apart from a good one', async () => {
  await create()
  const { token } = await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send' })
  await load('/identity?tab=check')
  await fill('Token', token)
  expect(await screen.findByText('Valid.')).toBeDefined()
  expect(screen.getByText(/Keyhole knows of no revocation/)).toBeDefined()
  expect(await within(await card('Try a call')).findByText('Allowed.')).toBeDefined()

  // Within the signature: the container's and the envelope's heads take the first 20 letters.
  const changed = `${token.slice(0, 50)}${token.charAt(50) === 'A' ? 'B' : 'A'}${token.slice(51)}`
  for (const [bad, words] of [
    [changed, /A signature isn’t valid|cannot be read as a token/],
    [token.slice(0, -30), /cannot be read as a token/],
    ['certainly not a token', /cannot be read as a token/],
  ] as const) {
    await fill('Token', bad)
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
    expect(screen.queryByText('Valid.')).toBeNull()
    expect(await field()).toHaveProperty('value', bad)
  }
})

test('a dropped file is read as a pasted text is, and one of 10 MB is not', async () => {
  await load('/identity?tab=check')
  await field()
  chooseFile(document.body, 'token.txt', officialToken())
  expect(await screen.findByText(EXPIRED)).toBeDefined()
  chooseFile(document.body, 'film.mkv', new Uint8Array(HUGE).fill(65))
  expect(await screen.findByText(/“film\.mkv” is 10 MiB/)).toBeDefined()
})

test('a paste of 10 MB is turned away at the field, and what was typed stays', async () => {
  await load('/identity?tab=check')
  await fill('Token', 'typed before')
  const clipboardData = { getData: () => 'A'.repeat(HUGE) }
  expect(fireEvent.paste(await field(), { clipboardData })).toBe(false)
  expect(await screen.findByText(/This is 10 MiB of text\./)).toBeDefined()
  expect(await field()).toHaveProperty('value', 'typed before')
  await fill('Token', 'typed after')
  await waitFor(() => expect(screen.queryByText(/This is 10 MiB of text\./)).toBeNull())
  // The same by a field that is filled from elsewhere.
  await fill('Token', 'A'.repeat(HUGE))
  expect(await screen.findByText(/This is 10 MiB of text\./)).toBeDefined()
  expect(await field()).toHaveProperty('value', 'typed after')
})

test('a token that this vault has revoked does not hold here, wherever it is pasted', async () => {
  await create()
  const { token } = await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send' })
  await load('/identity?tab=received')
  await fill('Token', token)
  await press('Check and add')
  expect(await screen.findByText('You already have it: your vault created it.')).toBeDefined()
  await openTab('Given')
  await press('Revoke…', 'Granted so far')
  await press('Revoke it for good', await screen.findByRole('alertdialog'))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  visit('Check a token')
  await fill('Token', token)
  expect(await screen.findByText(REVOKED)).toBeDefined()
  expect(await within(await card('The chain')).findByText('It was revoked.')).toBeDefined()
  await lockByHand()
  expect(await screen.findByText(REVOKED)).toBeDefined()
})

/** Opens the link of a token, and the page that it leads to. */
async function follow(token: string): Promise<void> {
  onTestFinished(putHandedOverAway)
  history.replaceState(null, '', new URL(linkFor(token, undefined, location.origin) ?? '').href)
  takeHandedOver()
  await load('/identity?tab=check')
}

test('a grant that is stored is not offered again by its link', async () => {
  await create()
  const [{ did } = { did: '' }] = vault().getSnapshot().keys
  const { token } = await givenByAnother({ audience_did: did, command: '/msg/send', policy: [] })
  await vault().tokens.receive(token, {})
  await follow(token)
  const given = await card('You were sent a grant')
  await sees('It’s already in your vault.', given)
  const [{ cid } = { cid: '' }] = await vault().tokens.list()
  expect(within(given).getByRole('link', { name: 'See it' }).getAttribute('href')).toContain(cid)
  expect(within(given).queryByRole('button', { name: 'Add to your vault' })).toBeNull()
})

test('the link of a grant that this vault has revoked says so', async () => {
  await create()
  const { cid, token } = await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send' })
  await vault().tokens.revoke({ cid })
  await follow(token)
  const given = await card('You were sent a grant')
  await sees(REVOKED, given)
  expect(within(given).queryByRole('button', { name: 'Add to your vault' })).toBeNull()
})

test('a request for a payment is answered where it is pasted, once the vault is open', async () => {
  await create()
  const token = await askForPayment(vault())
  await load('/identity?tab=check')
  await fill('Token', token)
  const request = await card('What it asks for')
  expect(await within(request).findByText('£12.00')).toBeDefined()
  expect(await within(request).findByRole('switch', { name: 'I want to pay this' })).toBeDefined()
  expect(screen.queryByText(/Do not rely on it/)).toBeNull()
  expect(await vault().payments.list()).toEqual([])
  await lockByHand()
  expect(await screen.findByText('The vault is locked')).toBeDefined()
  expect(screen.queryByRole('switch')).toBeNull()
  // What is asked stays in sight.
  const asked = await within(await card('What it asks for')).findByText(/asks this vault to pay/)
  expect(asked.textContent).toContain('£12.00 to shop.example for the order “A-17”.')
  await press('Decline', 'What it asks for')
  await waitFor(async () => expect(await field()).toHaveProperty('value', ''))
})

/** What the page says about a pasted text. */
async function says(text: string, words: RegExp | ((told: string) => boolean)): Promise<void> {
  await fill('Token', text)
  const heading = await screen.findByRole('heading', { name: /^What it (says|asks for)$/ })
  await within(heading.closest('section') ?? document.body).findByText((_, element) => {
    const told = element?.textContent ?? ''
    return element?.tagName === 'P' && (typeof words === 'function' ? words(told) : words.test(told))
  })
}

test('each kind of signed call is told in a sentence, with what was found about it', async () => {
  await create()
  const own = vault().getSnapshot().issuerDid ?? ''
  const theirs = person(3)
  const grant = delegation(theirs, person(4))
  const call = (command: string, args: ReadonlyMap<string, Value>) =>
    container([invocation(theirs, theirs, [], { cmd: command, args })])
  await load('/identity?tab=check')
  const key = `Unknown key \\(…${theirs.did.slice(-4)}\\)`
  const asked = {
    command: '/msg/send',
    subject_did: own,
    audience_did: STRANGER,
    args: { to: 'bob@example.com' },
  }
  await says(
    (await vault().tokens.invoke(asked)).token,
    /^Your request to Unknown key \(…2doK\): send messages\.$/,
  )
  await sees('“to” is “bob@example.com”')
  await sees('Valid.')
  // It rests on no grant, so there is none to revoke.
  expect(screen.queryByText(/Keyhole knows of no revocation/)).toBeNull()
  await says(call('/crud/read', new Map()), new RegExp(`^Request from ${key} to ${key}: read data.$`))
  // Anyone can sign a revocation: whether it counts depends on who made the grant.
  const stranger = person(5)
  for (const { did, signed } of [
    { did: theirs.did, signed: revocation(theirs, grant) },
    { did: stranger.did, signed: revocation(stranger, grant) },
  ]) {
    const name = `Unknown key (…${did.slice(-4)})`
    await says(container([signed]), (text) => text.startsWith(`${name} says that the grant bafyrei`))
    await sees(`It counts only if ${name} made that grant, or one that it came from.`)
    expect(screen.queryByText(/^Valid\.|may make it/)).toBeNull()
    expect(screen.queryByText('With these arguments:')).toBeNull()
  }
  const path = new Map<string, Value>([
    ['revoke', grant.link],
    ['path', [grant.link]],
  ])
  await says(call('/ucan/revoke', path), /is revoked\.$/)
  await sees(/^“path” is /)
  const receipt = (out: [string, Value][], more: [string, Value][] = []) =>
    call(
      '/ucan/assert',
      new Map<string, Value>([
        ['about', grant.link],
        ['facts', new Map<string, Value>([['out', new Map(out)], ['run', []], ...more])],
      ]),
    )
  const nothing = new Map()
  await says(receipt([['ok', nothing]]), new RegExp(`^${key} says that the request bafyrei.+ was done\\.$`))
  expect(screen.queryByText('With these arguments:')).toBeNull()
  await says(receipt([['error', nothing]]), new RegExp(`^${key} says that the request bafyrei.+ failed\\.$`))
  // What the sentence leaves out is told below it.
  await says(receipt([['ok', new Map([['paid', 20n]])]], [['by', 'card']]), /was done\.$/)
  await sees('“facts.out.ok.paid” is 20')
  await sees('“facts.by” is “card”')
  // A receipt with no outcome, or two, says neither.
  const none: [string, Value][] = []
  const both: [string, Value][] = [
    ['ok', nothing],
    ['error', nothing],
  ]
  for (const out of [none, both]) {
    await says(receipt(out, [['outcomes', BigInt(out.length)]]), /^Request from Unknown key .+ to .+: /)
    await sees(`“facts.outcomes” is ${out.length}`)
  }
  const terms = { origin: 'https://shop.example', value: '4.50', currency: 'GBP', order: 'A-17' }
  const { token } = await vault().payments.authorize(terms)
  await says(token, /^You let shop\.example collect £4\.50 from you for the order “A-17”, once\.$/)
  // What it rests on may be revoked where this vault doesn't hear of it.
  const holder = person(4)
  await says(
    container([invocation(holder, theirs, [grant], { cmd: '/msg/send' }), grant]),
    /^Request from .+: send messages\.$/,
  )
  await sees(/Keyhole knows of no revocation, but a service might\./)
  // One that isn't valid says so, with its sentence.
  await says(
    container([invocation(theirs, person(5), [grant], { cmd: '/msg/send' })]),
    new RegExp(`^Request from ${key} to .+: send messages\\.$`),
  )
  await sees(/^Do not rely on it\./)
})

test('requests that a person answers are told, and lead to where they can be answered', async () => {
  await create()
  await load('/identity?tab=check')
  const text = (request: object) =>
    `keyhole-request-1.${Buffer.from(JSON.stringify(request)).toString('base64url')}`
  await says(
    `https://vault.example/connect#${text({ ...EXAMPLE, name: 'Planner' })}`,
    /^Someone asks you to let Unknown key \(…2doK\) send messages, until .+\.$/,
  )
  await sees('Planner')
  await sees('To send invitations')
  const answer = screen.getByRole<HTMLAnchorElement>('link', { name: 'Answer it' })
  expect(answer.href).toMatch(/\/connect#keyhole-request-1\./)
  await says(
    text({ kind: 'payment', invocation: await askForPayment(vault()) }),
    /asks this vault to pay £12\.00 to shop\.example for the order “A-17”\.$/,
  )
  await fill('Token', text({ ...EXAMPLE, command: '/' }))
  await sees(/It asks for more than Keyhole grants on request/)
  await says('https://vault.example/identity?tab=ask', /^Someone asks you for your DID and your name\.$/)
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Answer it' }).href).toContain('tab=ask')
})

/** A browser whose enclave can wait for an answer, and a build that names these hosts. */
function mayAsk(hosts: string): void {
  Object.assign(WebAssembly, { Suspending: class {} })
  const meta = document.createElement('meta')
  meta.name = 'did-web-hosts'
  meta.content = hosts
  document.head.append(meta)
  onTestFinished(() => {
    Reflect.deleteProperty(WebAssembly, 'Suspending')
    meta.remove()
  })
}

test('where whoever runs Keyhole named no website, it says that none can be asked', async () => {
  mayAsk('')
  await load('/identity?tab=check')
  await sees('The operator of this Keyhole has turned that off.', 'Signed by a website')
  // Nothing is promised that can't be had here.
  expect(inside('Signed by a website').queryByText(/Keyhole asks that website/)).toBeNull()
})

test('a website is asked when a person allowed it, and that is remembered here', async () => {
  mayAsk('shop.example')
  await load('/identity?tab=check')
  const isAsked = async () =>
    (await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Ask shop.example' })).checked
  for (const wanted of [true, false]) {
    expect(await isAsked()).toBe(!wanted)
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Ask shop.example' }))
    await reload()
    expect(await isAsked()).toBe(wanted)
  }
})
