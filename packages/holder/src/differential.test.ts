// Random histories of narrowing and invoking: with the same key, nonce and time, the enclave must sign the same bytes
// as a holder, and refuse by the same names. `KEYHOLE_HISTORIES=10000` runs that many.
import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type InProcessEnclave, inProcessEnclave } from '../../enclave/src/test/in-process.ts'
import { toBase64url } from './codec/text.ts'
import { Budget } from './codec/work-budget.ts'
import { HolderError } from './errors.ts'
import { createHolder, type Holder } from './holder/holder.ts'
import type { HolderKey } from './identity/holder-key.ts'
import { readKeyText } from './identity/key-text.ts'
import { memoryStore } from './stores/memory-store.ts'
import { anyHistory, PEOPLE, START, type Step } from './test/histories.ts'
import { readTokens } from './token/read.ts'

const HISTORIES = Number(process.env.KEYHOLE_HISTORIES ?? 400)
const SEED = process.env.KEYHOLE_SEED

interface Made {
  readonly name?: string
  readonly token: string
  readonly cid: string
  readonly task?: string
  readonly effective?: {
    readonly policy: unknown
    readonly not_before: number | null
    readonly expires_at: number | null
  }
  readonly expires_at: number | null
  readonly valid?: boolean
  readonly error?: { readonly name: string }
}

let enclave: InProcessEnclave
let keyIds: string[]
let dids: string[]
let keys: HolderKey[]
const seeds = Array.from({ length: PEOPLE }, (_, at) => new Uint8Array(32).fill(at + 1))
const tally = new Map<string, number>()

beforeAll(async () => {
  enclave = await inProcessEnclave()
  keys = await Promise.all(seeds.map((seed) => readKeyText(`keyhole-key-1.${toBase64url(seed)}`)))
  const text = (seed: Uint8Array) => ({ text: pkcs8(seed), format: 'pkcs8' })
  await enclave.call('create_vault', {
    passphrase: 'four words that no one guesses',
    key: text(seeds[0] ?? new Uint8Array()),
  })
  for (const seed of seeds.slice(1)) await enclave.call('import_key', { key: text(seed) })
  const listed = (await enclave.call('list_keys', {})) as { keys: { key_id: string; did: string }[] }
  keyIds = listed.keys.map(({ key_id }) => key_id)
  dids = listed.keys.map(({ did }) => did)
})
afterAll(() => enclave.close())

/** RFC 8410, in hexadecimal. */
const pkcs8 = (seed: Uint8Array) => `302e020100300506032b657004220420${Buffer.from(seed).toString('hex')}`

/** The tokens in a text: containers may be packed differently, tokens must not differ. */
async function tokensOf(text: string): Promise<string[]> {
  return (await readTokens(text, new Budget())).map(({ bytes }) => Buffer.from(bytes).toString('hex')).sort()
}

class World {
  now = START
  nonces = 0
  readonly tokens: string[] = []
  readonly holders: Holder[]

  constructor() {
    this.holders = seeds.map((_seed, at) =>
      createHolder({
        store: memoryStore(keys[at]),
        clock: () => this.now * 1_000,
        random: () => this.nonce(),
      }),
    )
  }

  nonce(): Uint8Array {
    const nonce = new Uint8Array(12)
    new DataView(nonce.buffer).setUint32(8, this.nonces)
    return nonce
  }

  async enclave(
    name: Parameters<InProcessEnclave['call']>[0],
    input: Record<string, unknown>,
  ): Promise<Made> {
    return (await enclave.call(name, input, { now: this.now * 1_000, random: this.nonce() })) as Made
  }

  async run(step: Step): Promise<void> {
    this.nonces += 1
    if (step.kind === 'wait') this.now += step.seconds
    else if (step.kind === 'issue') await this.issue(step)
    else if (step.kind === 'narrow') await this.narrow(step)
    else await this.invoke(step)
  }

  async issue(step: Step & { kind: 'issue' }): Promise<void> {
    const made = await this.enclave('new_origin_token', {
      ...this.limits(step),
      audience_did: dids[step.to],
      key_id: keyIds[0],
    })
    if (made.token === undefined) return
    this.tokens.push(made.token)
    await this.add(step.to, made.token)
  }

  /** A holder accepts what the enclave verifies, at the latest when it starts. */
  async add(to: number, token: string): Promise<void> {
    const grant = await outcome(this.holder(to).add(token))
    const verdict = await this.enclave('verify_token', { token, now: this.now, skew: 0 })
    const expected = verdict.valid || verdict.error?.name === 'TooEarly' ? 'done' : verdict.error?.name
    expect(grant.code).toBe(expected)
    if (!grant.value || !verdict.effective) return
    const { policy, notBefore, expiresAt } = grant.value
    expect({ policy, not_before: notBefore, expires_at: expiresAt }).toEqual({
      policy: verdict.effective.policy,
      not_before: verdict.effective.not_before,
      expires_at: verdict.effective.expires_at,
    })
  }

  async narrow(step: Step & { kind: 'narrow' }): Promise<void> {
    const { to, subject } = step
    const { by, token } = (await this.held(step.grant)) ?? {}
    if (!token || by === undefined) return
    const [audience = ''] = dids.slice(to)
    const { command, policy, expiry, start, meta } = step
    const own = await outcome(
      this.holder(by).narrow({
        to: audience,
        command,
        policy,
        grant: token.cid,
        ...(expiry === undefined ? {} : { expiresIn: expiry === null ? null : START + expiry - this.now }),
        ...(start === undefined ? {} : { notBefore: START + start }),
        ...(meta === undefined ? {} : { meta }),
        ...(subject === undefined ? {} : { subject: dids[subject] ?? '' }),
      }),
    )
    const other = await this.enclave('new_attenuated_token', {
      ...this.limits(step),
      audience_did: audience,
      parent_token: token.token,
      key_id: keyIds[by],
      ...(subject === undefined ? {} : { subject_did: dids[subject] }),
    })
    count('narrow', own.code)
    // An invalid command is a wrong argument for one, and a wrong token field for the other.
    if (own.code === 'InvalidInput') return expect(nameOf(other)).not.toBe('done')
    expect(own.code, inspect(other)).toBe(nameOf(other))
    if (!own.value) return
    expect(await tokensOf(own.value.token)).toEqual(await tokensOf(other.token))
    expect(own.value.cid).toBe(other.cid)
    expect(own.value.policy).toEqual(other.effective?.policy)
    expect(own.value.expiresAt).toBe(other.effective?.expires_at)
    expect(own.value.notBefore).toBe(other.effective?.not_before)
    this.tokens.push(own.value.token)
    await this.add(to, own.value.token)
  }

  async invoke(step: Step & { kind: 'invoke' }): Promise<void> {
    const { command, args, subject, audience, lifetime } = step
    const { by, token } = (await this.held(step.grant)) ?? {}
    if (!token || by === undefined) return
    const [owner = ''] = dids
    const about = subject === undefined ? owner : (dids[subject] ?? '')
    const options = {
      subject: about,
      ...(audience === undefined ? {} : { audience: dids[audience] ?? '' }),
      ...(lifetime === undefined ? {} : { expiresIn: lifetime }),
    }
    const own = await outcome(this.holder(by).invoke(command, args, { ...options, grant: token.cid }))
    const asked = {
      command,
      args,
      subject_did: about,
      key_id: keyIds[by],
      ...(audience === undefined ? {} : { audience_did: dids[audience] }),
      ...(lifetime === undefined ? {} : { expires_at: this.now + lifetime }),
    }
    // An owner needs no proof, and a holder then ignores any.
    const proof = about === dids[by] ? {} : { proof_token: token.token }
    const other = await this.enclave('invoke', { ...asked, ...proof })
    count('invoke', own.code)
    if (own.code === 'InvalidInput') return expect(nameOf(other)).not.toBe('done')
    expect(own.code, inspect(other)).toBe(nameOf(other))
    if (own.value) {
      expect(await tokensOf(own.value.token)).toEqual(await tokensOf(other.token))
      // A short call isn't packed, so not only its tokens are the same.
      if (own.value.token.startsWith('C')) expect(own.value.token).toBe(other.token)
      expect([own.value.cid, own.value.task]).toEqual([other.cid, other.task])
      expect(own.value.expiresAt).toBe(other.expires_at)
    }
    await this.choose(by, command, args, options, asked)
  }

  /** Without naming a grant: what is chosen works for a service, and nothing is chosen only if no grant would work. */
  async choose(
    by: number,
    command: string,
    args: Record<string, unknown>,
    options: object,
    asked: object,
  ): Promise<void> {
    const chosen = await outcome(this.holder(by).invoke(command, args, options))
    if (chosen.value) {
      count('choose', 'done')
      const question = { invocation: chosen.value.token, now: this.now, skew: 0 }
      expect(await this.enclave('validate_invocation', question)).toMatchObject({
        valid: true,
        cid: chosen.value.cid,
      })
      return
    }
    if (chosen.code === 'InvalidInput') return
    count('choose', chosen.code)
    for (const { token } of await this.holder(by).grants()) {
      const other = await this.enclave('invoke', { ...asked, proof_token: token })
      expect(nameOf(other), `${chosen.code} while the enclave would`).not.toBe('done')
    }
  }

  /** One of all grants, and its holder. */
  async held(at: number) {
    const grants = await Promise.all(this.holders.map((holder) => holder.grants()))
    const all = grants.flatMap((own, by) => own.map((token) => ({ by, token })))
    return all[at % Math.max(all.length, 1)]
  }

  holder(at: number): Holder {
    const holder = this.holders[at]
    if (!holder) throw new Error('There is no such person.')
    return holder
  }

  limits({ command, policy, expiry, start, meta }: Step & { kind: 'issue' | 'narrow' }) {
    return {
      command,
      policy,
      ...(expiry === undefined ? {} : { expires_at: expiry === null ? null : START + expiry }),
      ...(start === undefined ? {} : { not_before: START + start }),
      ...(meta === undefined ? {} : { meta }),
    }
  }
}

const nameOf = ({ name }: Made) => name ?? 'done'

async function outcome<T>(work: Promise<T>): Promise<{ code: string; value?: T }> {
  try {
    return { code: 'done', value: await work }
  } catch (error) {
    if (error instanceof HolderError) return { code: error.code }
    throw error
  }
}

function count(what: string, code: string): void {
  tally.set(`${what}: ${code}`, (tally.get(`${what}: ${code}`) ?? 0) + 1)
}

it(`${HISTORIES} histories agree`, { timeout: 60_000 + HISTORIES * 200 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (steps) => {
      const world = new World()
      for (const step of steps) await world.run(step)
    }),
    { numRuns: HISTORIES, ...(SEED ? { seed: Number(SEED) } : {}), endOnFailure: true },
  )
  if (process.env.KEYHOLE_HISTORIES) console.log(Object.fromEntries([...tally].sort()))
  // Enough of each kind for the agreement to mean something.
  for (const kind of [
    'narrow: done',
    'invoke: done',
    'choose: done',
    'invoke: MatchError',
    'narrow: InvalidCommand',
  ])
    expect(tally.get(kind), kind).toBeGreaterThan(HISTORIES / 30)
})
