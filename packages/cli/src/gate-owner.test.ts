// Who becomes the owner of a gate, as `keyhole gate init` and `gate introduce` take it from a vault's answer. The command runs in this process,
// with a person at its terminal. A token maker stands in for the vault.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gateFolder } from '@keyhole/gate'
import { createHolder } from '@keyhole/holder'
import { fileStore } from '@keyhole/holder/node'
import { expect, it, onTestFinished } from 'vitest'
import { person } from '../../enclave/src/test/naive-tokens.ts'
import { startRelay } from '../../gate/src/test/relay-server.ts'
import { run } from './cli.ts'
import { answerAsOwner, readIntroduction } from './test/owner-vault.ts'

const owner = person(1)
const stranger = person(2)
/** No relay listens there: the answer comes by loopback. */
const VAULT = 'http://127.0.0.1:9'

/** A person's folder, and the terminal before it. `confirm` says what they answer; without it there is no terminal. */
async function terminal(confirm?: (question: string) => Promise<boolean>) {
  const cwd = await mkdtemp(join(tmpdir(), 'keyhole-owner-'))
  const config = join(cwd, 'keyhole-gate.json')
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, XDG_DATA_HOME: join(cwd, 'data') }
  const questions: string[] = []
  let said = ''
  let told = (_text: string) => {}
  const link = new Promise<string>((resolve) => {
    told = (line) => {
      const [found] = /https?:\/\/\S+#keyhole-service-1\.\S+/.exec(line) ?? []
      if (found) resolve(found)
    }
  })
  const start = (args: readonly string[]) =>
    run(args, {
      env,
      cwd,
      read: async () => '',
      bytes: async () => Buffer.alloc(0),
      print(line) {
        said += `${line}\n`
        told(line)
      },
      tell(line) {
        said += `${line}\n`
        told(line)
      },
      ...(confirm && {
        async confirm(question: string) {
          questions.push(question)
          return await confirm(question)
        },
      }),
    })
  return {
    config,
    link,
    questions,
    start,
    said: () => said,
    /** What the gate's key holds. */
    async grants() {
      const key = join(gateFolder(env), 'key')
      return await createHolder({ store: fileStore(key) }).grants()
    },
    written: async () => JSON.parse(await readFile(config, 'utf8')),
    write: async (json: object) => await writeFile(config, JSON.stringify(json)),
  }
}

const INIT = ['gate', 'init', '--vault', VAULT, '--url', 'https://tracker.example/mcp']

it('is who answered, once the person has confirmed the code', async () => {
  const at = await terminal(async () => true)
  const ending = at.start(INIT)
  expect(await answerAsOwner(await at.link, owner)).toBe(204)
  expect(await ending).toBe(0)
  expect(await at.written()).toMatchObject({ owners: [owner.did], vault: VAULT })
  expect(at.questions).toHaveLength(1)
  expect(at.questions[0]).toContain(owner.did)
  expect(at.questions[0]).toMatch(/Code: {2}[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/)
})

it('is no one if the person says no', async () => {
  const at = await terminal(async () => false)
  const ending = at.start(INIT)
  await answerAsOwner(await at.link, stranger)
  expect(await ending).toBe(1)
  expect(await at.written()).toMatchObject({ owners: [] })
  expect(at.said()).toContain('someone else has seen the link')
})

it('is no one without a person at a terminal, and then nothing runs', async () => {
  const at = await terminal()
  expect(await at.start(INIT)).toBe(0)
  expect(await at.written()).toMatchObject({ owners: [] })
  expect(await readIntroduction(await at.link)).toMatchObject({ reply: undefined })
  for (const command of [['gate', 'serve'], ['mcp']]) {
    expect(await at.start([...command, '--json'])).toBe(1)
    expect(at.said()).toContain('"NO_OWNER"')
  }
})

it('never changes by an answer, which only brings the relay', async () => {
  const relay = await startRelay()
  onTestFinished(() => relay.close())
  const vault = new URL(relay.url).origin
  const at = await terminal(async () => {
    throw new Error('No one has to be asked.')
  })
  const servers = { tracker: { url: 'https://tracker.example/mcp' } }
  const before = { owners: [owner.did], vault, servers }
  await at.write(before)
  const args = ['gate', 'introduce', '--reply', 'loopback']
  const refused = at.start(args)
  await answerAsOwner(await at.link, stranger, relay.url)
  expect(await refused).not.toBe(0)
  expect(await at.written()).toEqual(before)
  expect(at.said()).toContain('is not an owner of this gate')

  const again = await terminal(async () => false)
  await again.write(before)
  const taken = again.start(args)
  await answerAsOwner(await again.link, owner, relay.url)
  expect(await taken).toBe(0)
  expect(again.questions).toEqual([])
  expect(await again.written()).toEqual({ ...before, relay: relay.url })
})

it('brings no relay while there are others: the gate would refuse their calls', async () => {
  const relay = await startRelay()
  onTestFinished(() => relay.close())
  const at = await terminal(async () => {
    throw new Error('No one has to be asked.')
  })
  const before = {
    owners: [owner.did, stranger.did],
    vault: new URL(relay.url).origin,
    servers: { tracker: { url: 'https://tracker.example/mcp' } },
  }
  await at.write(before)
  const ending = at.start(['gate', 'introduce', '--reply', 'loopback'])
  await answerAsOwner(await at.link, owner, relay.url)
  expect(await ending).toBe(1)
  expect(await at.written()).toEqual(before)
  expect(await at.grants()).toEqual([])
  expect(at.said()).toContain('keyhole gate follow')
})

it('is not written over one that came meanwhile', async () => {
  const relay = await startRelay()
  onTestFinished(() => relay.close())
  const at = await terminal(async () => {
    await at.write({ ...(await at.written()), owners: [owner.did] })
    return true
  })
  const vault = new URL(relay.url).origin
  const ending = at.start([...INIT.with(INIT.indexOf(VAULT), vault), '--reply', 'loopback'])
  await answerAsOwner(await at.link, stranger, relay.url)
  expect(await ending).toBe(1)
  const { relay: taken, owners } = await at.written()
  expect({ taken, owners }).toEqual({ owners: [owner.did] })
  expect(await at.grants()).toEqual([])
})
