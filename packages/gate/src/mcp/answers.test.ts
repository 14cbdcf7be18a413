// How the answer to an agent's request comes back: the agent only shows the link, and makes the call again.
import { HolderError, type ReplyWay } from '@keyhole/holder'
import { expect, it, vi } from 'vitest'
import { container } from '../../../enclave/src/test/naive-tokens.ts'
import { grantTo, holderWith, hostileServer, open } from '../test/parts.ts'
import { GrantNeeded } from './grant-needed.ts'
import { signCalls } from './signed-calls.ts'

const CALL = '/mcp/tools/call'
const echo = (how: string) => ({ name: 'echo', arguments: { how } })

/** Mailboxes that the test answers. */
function mailboxes() {
  const opened: { answer(token: string): void; readonly signal: AbortSignal }[] = []
  const reply: ReplyWay = async (signal) => ({
    reply: {
      relay: 'https://vault.example/relay',
      mailbox: `did:key:z6Mk${opened.length}`,
      key: 'A'.repeat(43),
    },
    receive: (digest) =>
      new Promise((resolve) => {
        const answer = (token: string) => {
          const said = JSON.stringify({ request: Buffer.from(digest).toString('base64url'), token })
          resolve(`keyhole-answer-1.${Buffer.from(said).toString('base64url')}`)
        }
        opened.push({ answer, signal })
      }),
  })
  return { opened, reply }
}

async function agent(reply: ReplyWay) {
  const { gate } = await open({ bad: hostileServer() })
  const server = gate.servers.get('bad')
  if (!server) throw new Error('There is no server.')
  const holder = await holderWith()
  const calls = signCalls(server, holder, { reply })
  const refused = async (how: string): Promise<GrantNeeded> => {
    const error = await calls.call(CALL, echo(how)).catch((error: unknown) => error)
    if (error instanceof GrantNeeded) return error
    throw error
  }
  return { holder, calls, refused }
}

const requestIn = (link: string) =>
  JSON.parse(Buffer.from(link.split('/connect#keyhole-request-1.')[1] ?? '', 'base64url').toString())

it('brings the grant to the agent, which then makes the call', async () => {
  const { opened, reply } = mailboxes()
  const { holder, calls, refused } = await agent(reply)
  const needed = await refused('x')
  expect(requestIn(needed.link).reply).toMatchObject({ relay: 'https://vault.example/relay' })
  expect(needed.message).toContain('The grant then comes here')
  // An agent that tries again before the person has answered gets no second mailbox.
  const again = await Promise.all([refused('x'), refused('x')])
  expect(again.map(({ link }) => link)).toEqual([needed.link, needed.link])
  expect(opened).toHaveLength(1)
  const { policy } = requestIn(needed.link)
  opened[0]?.answer(container([await grantTo(holder, { pol: policy })]))
  await vi.waitFor(async () => expect(await calls.covers(CALL, echo('x'))).toBe(true))
  expect(await calls.call(CALL, echo('x'))).toMatchObject({ content: [{ text: '{"how":"x"}' }] })
  const [one, other] = await Promise.all([refused('y'), refused('y')])
  expect(one?.link).toBe(other?.link)
  expect(one?.link).not.toBe(needed.link)
  expect(opened).toHaveLength(2)
  calls.close()
})

it('asks again after an answer that grants something else', async () => {
  const { opened, reply } = mailboxes()
  const { holder, calls, refused } = await agent(reply)
  const { link } = await refused('x')
  opened[0]?.answer(container([await grantTo(holder, { pol: [['==', '.name', 'other']] as never })]))
  await vi.waitFor(async () => expect((await refused('x')).link).not.toBe(link))
  calls.close()
})

it('lets a person bring the answer if the relay opens no mailbox', async () => {
  let tries = 0
  const { calls, refused } = await agent(async () => {
    tries += 1
    throw new HolderError('RelayFailed', 'There is none.')
  })
  const needed = await refused('x')
  // No other call waits for it soon.
  await refused('y')
  expect(tries).toBe(1)
  expect(requestIn(needed.link)).not.toHaveProperty('reply')
  expect(needed.message).not.toContain('The grant then comes here')
  calls.close()
})

it('waits for a few answers at a time, and for none once the agent is gone', async () => {
  const { opened, reply } = mailboxes()
  const { calls, refused } = await agent(reply)
  const links = []
  for (let at = 0; at < 10; at += 1) links.push((await refused(`${at}`)).link)
  expect(opened).toHaveLength(8)
  expect(links.filter((link) => 'reply' in requestIn(link))).toHaveLength(8)
  expect(opened.some(({ signal }) => signal.aborted)).toBe(false)
  calls.close()
  expect(opened.every(({ signal }) => signal.aborted)).toBe(true)
})
