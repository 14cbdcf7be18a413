import { describe, expect, it } from 'vitest'
import { container, delegation, person } from '../../../enclave/src/test/naive-tokens.ts'
import { digestOf } from '../asking/short-code.ts'
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { HolderError } from '../errors.ts'
import { createHolder } from '../holder/holder.ts'
import { memoryStore } from '../stores/memory-store.ts'
import { redirect, resume } from './redirect.ts'

/** A tab: an address, and what it keeps while it is elsewhere. */
function tab(href: string) {
  const stored = new Map<string, string>()
  const location = {
    href,
    get hash() {
      return new URL(this.href).hash
    },
  }
  const history = {
    state: { key: 1 },
    replaceState(_state: unknown, _title: string, url?: string | URL | null) {
      location.href = String(url)
    },
  }
  const sessionStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  return { location, history, sessionStorage, stored }
}

async function begin(href = 'https://app.example/mail?folder=1#top') {
  const page = tab(href)
  const holder = createHolder({ store: memoryStore() })
  const asked = await holder.ask({
    vault: 'https://vault.example',
    command: '/msg/send',
    reply: redirect(undefined, page),
  })
  const json = JSON.parse(
    Buffer.from(fromBase64url(asked.text.replace('keyhole-request-1.', '')) ?? []).toString(),
  )
  const answer = async (said: object, text = asked.text) => {
    const request = toBase64url(await digestOf(text))
    return `keyhole-answer-1.${Buffer.from(JSON.stringify({ request, ...said })).toString('base64url')}`
  }
  const token = container([delegation(person(1), { ...person(2), did: json.audience }, { cmd: '/msg/send' })])
  return { page, holder, asked, reply: json.reply, answer, token }
}

describe('an answer by redirect', () => {
  it('comes back to the page that asked, is stored as a grant, and is removed from the address', async () => {
    const { page, holder, reply, answer, token } = await begin()
    expect(reply).toEqual({ redirect: 'https://app.example/mail?folder=1' })
    page.location.href = `${reply.redirect}#${await answer({ token })}`
    expect(await resume(holder, page)).toMatchObject({ command: '/msg/send' })
    expect(page.location.href).toBe('https://app.example/mail?folder=1')
    expect(await holder.grants()).toHaveLength(1)
  })

  it('is accepted once', async () => {
    const { page, holder, reply, answer, token } = await begin()
    const back = `${reply.redirect}#${await answer({ token })}`
    page.location.href = back
    await resume(holder, page)
    page.location.href = back
    await expect(resume(holder, page)).rejects.toMatchObject({ code: 'InvalidAnswer' })
  })

  it('is bound to a request that no one can guess', async () => {
    const { page, holder, asked } = await begin()
    const again = await holder.ask({
      vault: 'https://vault.example',
      command: '/msg/send',
      reply: redirect(undefined, page),
    })
    expect(again.text).not.toBe(asked.text)
  })

  it('stays in the address if it could not be stored, for another try', async () => {
    const { page, holder, reply, answer, token } = await begin()
    const back = `${reply.redirect}#${await answer({ token })}`
    page.location.href = back
    const full = { ...holder, add: () => Promise.reject(new HolderError('StoreFailed', 'No space.')) }
    await expect(resume(full, page)).rejects.toMatchObject({ code: 'StoreFailed' })
    expect(page.location.href).toBe(back)
    expect(await resume(holder, page)).toMatchObject({ command: '/msg/send' })
    expect(page.location.href).not.toContain('#')
  })

  it('can only come back to a page of this origin', async () => {
    const { page, holder } = await begin()
    const asking = (to: string) =>
      holder.ask({ vault: 'https://vault.example', command: '/msg', reply: redirect(to, page) })
    await expect(asking('https://other.example/')).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(asking('/other')).resolves.toBeDefined()
  })

  it('that declines is reported', async () => {
    const { page, holder, reply, answer } = await begin()
    page.location.href = `${reply.redirect}#${await answer({ refused: 'DECLINED', message: 'No.' })}`
    await expect(resume(holder, page)).rejects.toMatchObject({ code: 'Declined' })
  })

  it('to a request that this tab did not make is refused: no one can slip in their own grant', async () => {
    const { page, holder, reply, answer, token } = await begin()
    page.location.href = `${reply.redirect}#${await answer({ token }, 'keyhole-request-1.e30')}`
    await expect(resume(holder, page)).rejects.toMatchObject({ code: 'InvalidAnswer' })
    expect(await holder.grants()).toEqual([])
    expect(page.location.href).not.toContain('#')
  })

  it('is undefined if the page was opened without one', async () => {
    const { page, holder } = await begin()
    expect(await resume(holder, page)).toBeUndefined()
    expect(page.location.hash).toBe('#top')
  })

  it.each(['{', '7', '["', 'null'])('survives %j in the storage', async (damaged) => {
    const { page, holder, reply, answer, token } = await begin()
    page.stored.set('keyhole-open-requests', damaged)
    page.location.href = `${reply.redirect}#${await answer({ token })}`
    await expect(resume(holder, page)).rejects.toMatchObject({ code: 'InvalidAnswer' })
  })
})
