import type { createEnclave, Enclave, EnclaveExport } from '@keyhole/enclave'

/** What the fake keeps of an account: everything a test looks at, nothing that is cryptography. */
interface FakeAccount {
  address: string
  chainId: string
  passphrase: string
  revision: number
  label?: string
  keys: FakeKey[]
}

interface FakeKey {
  key_id: string
  key_type: string
  did: string
  label?: string
  created_at: number
  is_default: boolean
  is_first: boolean
}

interface FakeVault {
  account: FakeAccount | undefined
  before: FakeAccount | undefined
  locked: boolean
  clients: Set<() => void>
}

type Input = Record<string, unknown>
type Answer = { error: string; code: string; name?: string } | object | undefined

const refuse = (code: string, error: string, name?: string) => ({ error, code, ...(name && { name }) })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Counts across worlds: no two keys or tokens of a test file are the same. */
let serial = 0

/**
 * Enclaves in memory that keep the contract of the real ones, for what the real ones cannot be made to do: fail, answer
 * nonsense, be a SharedWorker in Node. Enclaves of one world that name the same account share it, where `kind` says so.
 */
export class FakeWorld {
  readonly kind: Enclave['kind']
  readonly calls: { name: string; input: unknown }[] = []
  readonly started: Parameters<typeof createEnclave>[0][] = []
  closed = 0
  readonly #shared = new Map<string, FakeVault>()
  readonly #planned = new Map<string, (() => unknown)[]>()

  constructor(kind: Enclave['kind'] = 'worker-thread') {
    this.kind = kind
  }

  /** The next call of an export does this instead. */
  plan(name: EnclaveExport | 'createEnclave' | 'adopt', behave: () => unknown): void {
    this.#planned.set(name, [...(this.#planned.get(name) ?? []), behave])
  }

  readonly createEnclave: typeof createEnclave = async (options) => {
    this.started.push(options)
    await this.#take('createEnclave')?.()
    options?.signal?.throwIfAborted()
    return this.#enclave(options?.account)
  }

  /** What a restarted SharedWorker does: every vault is forgotten. */
  restart(): void {
    for (const vault of this.#shared.values()) {
      vault.account = undefined
      vault.locked = true
      for (const tell of vault.clients) tell()
    }
  }

  #take(name: string) {
    return this.#planned.get(name)?.shift()
  }

  #enclave(named: string | undefined): Enclave {
    const world = this
    let account = named
    let vault = this.#home(named)
    const listeners = new Set<() => void>()
    const tell = () => {
      for (const listener of listeners) listener()
    }
    vault.clients.add(tell)
    return {
      get account() {
        return account
      },
      kind: this.kind,
      async call<T>(name: EnclaveExport, input: unknown = {}) {
        // A copy goes in and a copy comes out, as through a port.
        const sent: Input = JSON.parse(JSON.stringify(input ?? {}))
        world.calls.push({ name, input: sent })
        const planned = world.#take(name)
        const revision = vault.account?.revision
        const locked = vault.locked
        const answer: unknown = planned ? await planned() : world.#answer(vault, name, sent)
        if (revision !== vault.account?.revision || locked !== vault.locked) {
          for (const other of vault.clients) if (other !== tell) other()
        }
        return (answer === undefined ? answer : JSON.parse(JSON.stringify(answer))) as T
      },
      async adopt(address) {
        await world.#take('adopt')?.()
        account = address
        if (world.kind === 'shared-worker') world.#shared.set(address, vault)
      },
      subscribe(listener) {
        const hear = () => listener({} as Parameters<typeof listener>[0])
        listeners.add(hear)
        return () => listeners.delete(hear)
      },
      async close() {
        world.closed += 1
        vault.clients.delete(tell)
        vault = { account: undefined, before: undefined, locked: true, clients: new Set() }
      },
    }
  }

  #home(named: string | undefined): FakeVault {
    const fresh = { account: undefined, before: undefined, locked: true, clients: new Set<() => void>() }
    if (named === undefined || this.kind !== 'shared-worker') return fresh
    const shared = this.#shared.get(named) ?? fresh
    this.#shared.set(named, shared)
    return shared
  }

  #answer(vault: FakeVault, name: EnclaveExport, input: Input): Answer {
    const { account } = vault
    switch (name) {
      case 'vault_status':
        return { status: status(vault) }
      case 'create_vault': {
        if (account) return refuse('VAULT_ALREADY_INITIALIZED', 'there is a vault already')
        if (!['ed25519', 'p256', 'secp256k1', undefined].includes(input.key_type as string | undefined)) {
          return refuse('INVALID_KEY_TYPE', 'no such key type')
        }
        const address = `kh1fake${++serial}${Math.random().toString(36).slice(2, 10)}`
        const chainId = text(input.chain_id) || 'keyhole-1'
        vault.account = { address, chainId, passphrase: text(input.passphrase), revision: 1, keys: [] }
        if (typeof input.label === 'string') vault.account.label = input.label
        vault.account.keys.push(this.#key({ key_type: input.key_type }, true))
        vault.locked = false
        return sealed(vault)
      }
      case 'open_vault': {
        const next = decode(text((JSON.parse(text(input.enclave)) as Input).sealed)) as FakeAccount
        if (account && (account.address !== next.address || !vault.locked)) {
          return refuse('VAULT_ALREADY_INITIALIZED', 'another vault is open')
        }
        if (!account || next.revision > account.revision) vault.account = next
        vault.locked = true
        return { status: status(vault) }
      }
      case 'close_vault':
        vault.account = undefined
        vault.locked = true
        return {}
      case 'inspect_token':
        return inspect(text(input.token))
      case 'verify_token':
        return verify(text(input.token), Number(input.now ?? Date.now() / 1000))
      case 'validate_invocation':
        return validate(text(input.invocation), input)
      case 'validate_batch':
        return { results: (input.invocations as string[]).map((each) => validate(each, input)) }
      case 'read_backup': {
        const backup = decode(text(input.backup)) as { account: FakeAccount }
        return { format: 'fake', address: backup.account.address, created_at: 0 }
      }
      case 'import_vault':
        return this.#import(vault, input)
    }
    if (!account) return refuse('VAULT_NOT_INITIALIZED', 'there is no vault')
    if (name === 'unlock_vault') {
      if (input.passphrase !== account.passphrase) return refuse('INVALID_PASSPHRASE', 'wrong passphrase')
      vault.locked = false
      return { status: status(vault) }
    }
    if (name === 'lock_vault') {
      vault.locked = true
      return sealed(vault)
    }
    if (name === 'get_issuer_did') {
      const { address, chainId } = account
      return { issuer_did: account.keys[0]?.did, address, chain_id: chainId }
    }
    if (vault.locked) return refuse('VAULT_LOCKED', 'the vault is locked')
    return this.#unlocked(vault, account, name, input)
  }

  #unlocked(vault: FakeVault, account: FakeAccount, name: EnclaveExport, input: Input): Answer {
    const change = (make: (next: FakeAccount) => Answer): Answer => {
      const next = structuredClone(account)
      next.revision += 1
      const answer = make(next)
      if (answer && 'code' in answer) return answer
      vault.before = account
      vault.account = next
      return { ...sealed(vault), ...answer }
    }
    const find = (keys: FakeKey[]) => keys.find(({ key_id }) => key_id === input.key_id)
    switch (name) {
      case 'generate_key':
        return change((next) => {
          const key = this.#key(input, false)
          next.keys.push(key)
          return { key }
        })
      case 'delete_key':
        return change((next) => {
          const key = find(next.keys)
          if (!key) return refuse('KEY_NOT_FOUND', 'no such key')
          if (key.is_first) return refuse('OPERATION_FAILED', 'the first key cannot be deleted')
          next.keys = next.keys.filter((each) => each !== key)
          return {}
        })
      case 'set_default_key':
        return change((next) => {
          if (!find(next.keys)) return refuse('KEY_NOT_FOUND', 'no such key')
          for (const key of next.keys) key.is_default = key.key_id === input.key_id
          return {}
        })
      case 'label_vault':
        return change((next) => {
          next.label = text(input.label)
          return {}
        })
      case 'label_key':
        return change((next) => {
          const key = find(next.keys)
          if (!key) return refuse('KEY_NOT_FOUND', 'no such key')
          key.label = text(input.label)
          return {}
        })
      case 'change_passphrase':
        if (input.passphrase !== account.passphrase) return refuse('INVALID_PASSPHRASE', 'wrong passphrase')
        return change((next) => {
          next.passphrase = text(input.new_passphrase)
          return {}
        })
      case 'rollback_vault':
        if (!vault.before || input.revision !== account.revision) {
          return refuse('OPERATION_FAILED', 'nothing to take back')
        }
        vault.account = vault.before
        vault.before = undefined
        return { status: status(vault) }
      case 'export_vault':
        if (input.passphrase !== account.passphrase) return refuse('INVALID_PASSPHRASE', 'wrong passphrase')
        return { backup: encode({ account, by: input.export_passphrase, contents: input.contents }) }
      case 'seal_records':
        return { records: (input.records as object[]).map((record) => ({ sealed: encode(record) })) }
      case 'open_records':
        return {
          records: (input.records as { context: string; sealed: string }[]).map((record) => {
            const { context, plaintext } = decode(record.sealed) as { context: string; plaintext: string }
            return context === record.context ? { plaintext } : refuse('OPERATION_FAILED', 'does not open')
          }),
        }
      case 'sign_data':
        return { signature: [...(input.data as number[])].reverse() }
      case 'new_origin_token':
      case 'new_attenuated_token': {
        const key = account.keys.find(({ is_default }) => is_default) ?? account.keys[0]
        const signer = input.key_id === undefined ? key : find(account.keys)
        if (!signer) return refuse('KEY_NOT_FOUND', 'no such key')
        return this.#token(signer, input)
      }
      case 'invoke':
      case 'revoke':
      case 'issue_receipt': {
        const signer = input.key_id === undefined ? account.keys[0] : find(account.keys)
        if (!signer) return refuse('KEY_NOT_FOUND', 'no such key')
        return this.#invocation(signer, name, input)
      }
      default:
        return refuse('OPERATION_FAILED', `the fake has no ${name}`)
    }
  }

  #import(vault: FakeVault, input: Input): Answer {
    const backup = decode(text(input.backup)) as { account: FakeAccount; by: string; contents: unknown }
    if (backup.by !== input.export_passphrase) return refuse('INVALID_PASSPHRASE', 'wrong passphrase')
    const { account } = vault
    if (account && vault.locked) return refuse('VAULT_LOCKED', 'the vault is locked')
    if (account && account.address !== backup.account.address)
      return refuse('OPERATION_FAILED', 'another account')
    const missing = backup.account.keys.filter(
      ({ key_id }) => !account?.keys.some((key) => key.key_id === key_id),
    )
    vault.before = account
    vault.account = account
      ? { ...account, revision: account.revision + 1, keys: [...account.keys, ...missing] }
      : { ...backup.account, revision: backup.account.revision + 1, passphrase: text(input.passphrase) }
    vault.locked = false
    return { ...sealed(vault), contents: backup.contents, added_keys: missing.map(({ key_id }) => key_id) }
  }

  #key(input: Input, first: boolean): FakeKey {
    const id = `key-${++serial}`
    return {
      key_id: id,
      key_type: text(input.key_type) || 'ed25519',
      did: `did:key:z${id}`,
      ...(typeof input.label === 'string' && { label: input.label }),
      created_at: Math.floor(Date.now() / 1000),
      is_default: first,
      is_first: first,
    }
  }

  #invocation(signer: FakeKey, name: string, input: Input): Answer {
    const expires = name === 'invoke' ? Math.floor(Date.now() / 1000) + 300 : null
    const payload = {
      iss: signer.did,
      sub: input.subject_did ?? signer.did,
      ...(input.audience_did !== undefined && { aud: input.audience_did }),
      cmd: input.command ?? (name === 'revoke' ? '/ucan/revoke' : '/ucan/assert'),
      args: input.args ?? input,
      exp: input.expires_at === undefined ? expires : input.expires_at,
    }
    // Revoking is idempotent: the same revocation has the same CID.
    const cid = name === 'revoke' ? `bafyfake-revoking-${text(input.cid)}` : `bafyfake${++serial}`
    const proofs = input.proof_token ? (decode(text(input.proof_token)) as object[]) : []
    const token = encode([...proofs, { cid, payload }])
    if (name !== 'invoke') return { token, cid }
    return { token, cid, task: `task-of-${cid}`, issuer: signer.did, expires_at: payload.exp }
  }

  #token(signer: FakeKey, input: Input): Answer {
    const now = Math.floor(Date.now() / 1000)
    const expires = (input.expires_at as number | undefined) ?? now + 86_400
    const payload = {
      iss: signer.did,
      aud: input.audience_did,
      sub: input.subject_did ?? signer.did,
      cmd: input.command,
      pol: input.policy ?? [],
      exp: expires,
      ...(input.not_before !== undefined && { nbf: input.not_before }),
    }
    const cid = `bafyfake${++serial}`
    const parents = input.parent_token ? (decode(text(input.parent_token)) as object[]) : []
    const { cmd: command, pol: policy } = payload
    return {
      token: encode([...parents, { cid, payload }]),
      issuer: signer.did,
      address: `kh1of-${text(input.audience_did)}`,
      cid,
      expires_at: expires,
      ...(input.parent_token !== undefined && { effective: { command, policy, expires_at: expires } }),
    }
  }
}

function status({ account, locked }: FakeVault) {
  if (!account) return { initialized: false, locked: true, keys: [] }
  const { address, chainId: chain_id, revision, keys } = account
  const open = keys.map(({ label, ...key }) => (locked || label === undefined ? key : { ...key, label }))
  const default_key = keys.find((key) => key.is_default)?.key_id
  const issuer_did = keys.find((key) => key.is_default)?.did
  const named = locked || account.label === undefined ? {} : { label: account.label }
  return {
    initialized: true,
    locked,
    address,
    chain_id,
    revision,
    default_key,
    keys: open,
    issuer_did,
    ...named,
  }
}

function sealed(vault: FakeVault) {
  const { account } = vault
  const enclave = JSON.stringify({ format: 'fake', revision: account?.revision, sealed: encode(account) })
  return { status: status(vault), enclave }
}

interface FakeToken {
  cid: string
  payload: {
    iss: string
    aud: string
    sub: string
    cmd: string
    pol: unknown[]
    args?: object
    exp: number
    nbf?: number
  }
  broken?: boolean
}

function parse(token: string): FakeToken[] | undefined {
  try {
    return decode(token) as FakeToken[]
  } catch {
    return undefined
  }
}

function inspect(token: string): Answer {
  const tokens = parse(token)
  if (!tokens) return refuse('OPERATION_FAILED', 'this is no token', 'MalformedToken')
  return {
    tokens: tokens.map(({ cid, payload, broken }) => ({
      cid,
      kind: payload.args ? 'invocation' : 'delegation',
      algorithm: 'Ed25519',
      signature_valid: !broken,
      payload,
    })),
  }
}

function verify(token: string, now: number): Answer {
  const tokens = parse(token)
  if (!tokens) return refuse('OPERATION_FAILED', 'this is no token', 'MalformedToken')
  const fail = (name: string, cid: string) => ({
    valid: false,
    error: { name, message: `it is ${name}`, cid },
  })
  for (const { cid, payload, broken } of tokens) {
    if (broken) return fail('InvalidSignature', cid)
    if (payload.exp + 60 < now) return fail('Expired', cid)
    if (payload.nbf !== undefined && payload.nbf - 60 > now) return fail('TooEarly', cid)
  }
  const chain = tokens.map(({ cid, payload }) => ({
    cid,
    issuer: payload.iss,
    audience: payload.aud,
    subject: payload.sub,
    command: payload.cmd,
    policy: payload.pol,
    expires_at: payload.exp,
  }))
  const address = `kh1of-${chain.at(-1)?.audience}`
  return { valid: true, token: token.trim(), address, chain, effective: { command: '/', policy: [] } }
}

function validate(token: string, { seen, audience }: Input): Answer {
  const tokens = parse(token)
  const last = tokens?.at(-1)
  const fail = (name: string, cid: string | null) => ({
    valid: false,
    error: { name, message: `it is ${name}`, cid },
  })
  if (!last?.payload.args) return fail('MalformedToken', null)
  const { cid, payload } = last
  if (audience !== undefined && audience !== (payload.aud ?? payload.sub)) return fail('InvalidAudience', cid)
  if (Array.isArray(seen) && seen.includes(cid)) return fail('Replayed', cid)
  return {
    valid: true,
    cid,
    expires_at: payload.exp,
    task: `task-of-${cid}`,
    command: payload.cmd,
    args: payload.args,
    subject: payload.sub,
    issuer: payload.iss,
    chain: [],
  }
}
