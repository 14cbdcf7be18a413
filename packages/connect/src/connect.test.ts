import { createHolder, type Holder, memoryStore } from '@keyhole/holder'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, connectByRedirect, pageHolder, resumeConnection } from './connect.ts'
import { FakePage, grantTo, owner, VAULT } from './test/vault.ts'

const REQUEST = { vault: VAULT, command: '/msg/send' }
let page: FakePage
let holder: Holder
beforeEach(() => {
  page = new FakePage()
  vi.stubGlobal('window', page)
  vi.stubGlobal('indexedDB', new IDBFactory())
  holder = createHolder({ store: memoryStore() })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('connecting', () => {
  it('creates a key, asks for a grant to it, and returns what was granted', async () => {
    const connecting = connect(REQUEST)
    // Before anything is awaited, while it still counts as the click's.
    expect(page.opened).toHaveLength(1)
    const token = await page.grant({ pol: [['<', '.count', 5n]], exp: 4_000_000_000n })
    const connection = await connecting
    expect(connection).toMatchObject({
      effective: { subject: owner.did, command: '/msg/send', policy: [['<', '.count', 5]], notBefore: null },
      expiresAt: 4_000_000_000,
    })
    expect(connection.effective.expiresAt).toBe(connection.expiresAt)
    expect(await connection.holder.grants()).toMatchObject([{ token: connection.token }])
    expect(token.length).toBeGreaterThan(100)
    expect(await connection.holder.invoke('/msg/send', { count: 4 })).toMatchObject({ command: '/msg/send' })
    expect(connection.holder).toBe(await pageHolder())
  })

  it('uses the given holder', async () => {
    const connecting = connect({ ...REQUEST, holder })
    await page.grant()
    expect((await connecting).holder).toBe(holder)
    expect(await holder.grants()).toHaveLength(1)
  })

  it('reports that the person said no, and stores nothing', async () => {
    const refused = expect(connect({ ...REQUEST, holder })).rejects.toMatchObject({ code: 'DECLINED' })
    await page.decline()
    await refused
    expect(await holder.grants()).toEqual([])
  })

  it('refuses a grant to someone else', async () => {
    const refused = expect(connect({ ...REQUEST, holder })).rejects.toMatchObject({ code: 'InvalidAudience' })
    const { window } = await page.request()
    const token = grantTo(owner.did)
    window.heard[0]?.ports[0]?.postMessage({ protocol: 'keyhole-connect-1', type: 'granted', token })
    await refused
  })

  it.each([
    ['an invalid command', { command: 'msg' }, 'INVALID_REQUEST'],
    ['everything', { command: '/' }, 'TOO_BROAD'],
    ['an invalid vault', { vault: 'http://vault.example' }, 'INVALID_REQUEST'],
  ])('asks no one for %s', async (_name, changes, code) => {
    await expect(connect({ ...REQUEST, holder, ...changes })).rejects.toMatchObject({ code })
    expect(page.opened).toEqual([])
  })

  it('reports that the window was blocked', async () => {
    page.blocks = true
    await expect(connect({ ...REQUEST, holder })).rejects.toMatchObject({ code: 'BLOCKED' })
  })

  it('closes the window if no key can be created', async () => {
    const broken = createHolder({
      store: { ...memoryStore(), key: () => Promise.reject(new Error('The disk is full.')) },
    })
    await expect(connect({ ...REQUEST, holder: broken })).rejects.toThrow('The disk is full.')
    expect(page.opened[0]?.window.closed).toBe(true)
  })

  it('uses the last port if the window is reloaded before the key is ready', async () => {
    let give = (_holder: Holder) => {}
    const late = new Promise<Holder>((resolve) => {
      give = resolve
    })
    const connecting = connect({ ...REQUEST, holder: late })
    const window = page.opened[0]?.window
    const ready = { protocol: 'keyhole-connect-1', type: 'ready' }
    page.hears(ready, VAULT, window)
    page.hears(ready, VAULT, window)
    give(holder)
    await vi.waitFor(() => expect(window?.heard).toHaveLength(1))
    window?.heard[0]?.ports[0]?.postMessage({
      protocol: 'keyhole-connect-1',
      type: 'granted',
      token: grantTo(await holder.did()),
    })
    expect((await connecting).holder).toBe(holder)
  })
})

describe('connecting by redirect', () => {
  /** The page leaves, and comes back with an answer. */
  async function leave(changes: object = {}) {
    void connectByRedirect({ ...REQUEST, holder, ...changes })
    await vi.waitFor(() => expect(page.location.left).toBeDefined())
    const text = new URL(page.location.left ?? '').hash.slice(1)
    const json = Buffer.from(text.replace('keyhole-request-1.', ''), 'base64url').toString()
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
    return { request: JSON.parse(json), digest: digest.toString('base64url') }
  }
  const answer = (said: object) =>
    `#keyhole-answer-1.${Buffer.from(JSON.stringify(said)).toString('base64url')}`

  it('goes to the vault, and takes the answer when the page comes back', async () => {
    const { request, digest } = await leave()
    expect(page.location.left).toMatch(/^https:\/\/vault\.example\/connect#keyhole-request-1\./)
    expect(request).toMatchObject({
      audience: await holder.did(),
      reply: { redirect: 'https://app.example/mail' },
    })
    page.location.href += answer({ request: digest, token: grantTo(request.audience) })
    expect(await resumeConnection({ holder })).toMatchObject({ effective: { command: '/msg/send' }, holder })
    expect(page.location.href).toBe('https://app.example/mail')
    expect(await resumeConnection({ holder })).toBeUndefined()
  })

  it('comes back to another page of this origin if requested', async () => {
    const { request } = await leave({ returnTo: '/connected' })
    expect(request.reply).toEqual({ redirect: 'https://app.example/connected' })
  })

  it('refuses an answer it did not ask for', async () => {
    page.location.href += answer({ request: 'A'.repeat(43), token: grantTo(await holder.did()) })
    await expect(resumeConnection({ holder })).rejects.toMatchObject({ code: 'InvalidAnswer' })
    expect(await holder.grants()).toEqual([])
  })
})
