// Two devices of one account with the real enclave, over a relay in memory: what they sign is what the relay checks.
import { createHash } from 'node:crypto'
import {
  type AnyExport,
  createEnclave,
  type Enclave,
  type EnclaveAnswer,
  type EnclaveInput,
  isRefusal,
} from '@keyhole/enclave'
import { afterAll, afterEach, expect, it } from 'vitest'
import { AUDIENCE, closeSharedEnclave, makeRelay, START, type World } from '../test/relay.ts'

const proof = { passphrase: 'correct horse battery staple' }

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(closeSharedEnclave)

const idOf = (record: string) =>
  createHash('sha256').update(Buffer.from(record, 'base64url')).digest('base64url')
const isHead = (record: string) => Buffer.from(record, 'base64url')[0] === 1

async function ok<Name extends AnyExport>(
  enclave: Enclave,
  name: Name,
  input: EnclaveInput<Name>,
): Promise<EnclaveAnswer<Name>> {
  const answer = await enclave.callByName(name, input)
  if (isRefusal(answer)) throw new Error(`${name}: ${answer.name}`)
  return answer as EnclaveAnswer<Name>
}

/** A device that talks to a relay. */
class Device {
  readonly enclave: Enclave
  readonly #world: World
  permission: string | undefined

  constructor(enclave: Enclave, world: World) {
    this.enclave = enclave
    this.#world = world
  }

  static async begin(world: World): Promise<Device> {
    const enclave = await createEnclave({ devices: true })
    ends.push(() => enclave.close())
    return new Device(enclave, world)
  }

  async sign(call: EnclaveInput<'sign_relay_call'>['call'], relay = AUDIENCE): Promise<string> {
    const { permission } = this
    const input = { call, relay, ...(permission !== undefined && { permission }) }
    return (await ok(this.enclave, 'sign_relay_call', input)).token
  }

  async append(record: string, headsRead: number): Promise<number> {
    const answer = await this.#world.ask('/records/append', {
      method: 'POST',
      token: await this.sign({ append: { record: idOf(record) } }),
      body: JSON.stringify({ record, ...(isHead(record) && { heads_read: headsRead }) }),
    })
    return answer.status
  }

  async read(from: number): Promise<{ status: number; before: string | undefined; records: string[] }> {
    const token = await this.sign({ read: { from } })
    const answer = await this.#world.ask('/records/read', { method: 'POST', token })
    const { before, records = [] } = Object(await answer.json())
    return { status: answer.status, before: before ?? undefined, records }
  }

  async watch(): Promise<Response> {
    return this.#world.ask('/records/watch', { token: await this.sign({ watch: {} }) })
  }
}

it('signs what a relay takes, until the device is removed', async () => {
  // The plugin's clock is the machine's.
  const world = await makeRelay()
  world.now = Date.now()
  expect(world.now).not.toBe(START)
  ends.push(() => world.relay.close())
  const laptop = await Device.begin(world)
  await ok(laptop.enclave, 'create_vault', proof)
  const { account, root, records } = await ok(laptop.enclave, 'start_devices', { proof })
  const [first = ''] = records
  expect(await laptop.append(first, 0)).toBe(201)

  const phone = await Device.begin(world)
  const made = await ok(phone.enclave, 'make_device', {})
  const added = await ok(laptop.enclave, 'propose_head', { change: { add: made }, proof })
  const [head = ''] = added.records
  expect(await laptop.append(head, 1)).toBe(201)
  phone.permission = added.permission
  const page = await phone.read(1)
  expect(page).toMatchObject({ status: 200, records: [first, head] })
  await ok(phone.enclave, 'join_devices', { account, root, records: page.records })
  // From now on it has the permission from the head.
  phone.permission = undefined
  const { records: changes } = await ok(phone.enclave, 'write_changes', {
    changes: [{ thing: 'contact', id: 'bob', value: 'Bob' }],
  })
  expect(await phone.append(changes[0] ?? '', 2)).toBe(201)

  const { before, records: read } = await laptop.read(1)
  const taken = await ok(laptop.enclave, 'take_records', { ...(before && { before }), records: read })
  expect(taken).toMatchObject({ page: 'goes_on', device: { members: [expect.anything(), made.device] } })
  const found = await ok(laptop.enclave, 'read_things', { thing: 'contact' })
  expect(found.things).toMatchObject([{ id: 'bob', value: 'Bob' }])
  // Signed for another relay, it is of no use here.
  const elsewhere = await laptop.sign({ read: { from: 1 } }, 'did:web:other.example')
  const refused = await world.ask('/records/read', { method: 'POST', token: elsewhere })
  expect(await refused.json()).toEqual({ error: 'forbidden', rule: 'InvalidAudience' })

  const watching = (await phone.watch()).body?.getReader()
  const removal = await ok(laptop.enclave, 'propose_head', {
    change: { remove: { device: made.device } },
    proof,
  })
  expect(await laptop.append(removal.records[0] ?? '', 2)).toBe(201)
  const rest = await laptop.read(4)
  await ok(laptop.enclave, 'take_records', {
    ...(rest.before && { before: rest.before }),
    records: rest.records,
  })
  await ok(laptop.enclave, 'adopt_head', {})
  const { permissions } = await ok(laptop.enclave, 'revoked_permissions', {})
  expect(permissions).toHaveLength(1)
  // A client that was killed tells the relay again.
  for (const status of [201, 200])
    for (const { revocation, token } of permissions)
      expect((await world.post('/revocations', { revocation, token })).status).toBe(status)
  for (let part = await watching?.read(); part && !part.done; part = await watching?.read());
  expect((await phone.read(1)).status).toBe(403)
  expect((await phone.watch()).status).toBe(403)
  expect(await phone.append(changes[0] ?? '', 3)).toBe(403)
  expect((await laptop.read(1)).status).toBe(200)
  expect(world.errors).toEqual([])
})
