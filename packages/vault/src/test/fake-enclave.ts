import { createHash } from 'node:crypto'
import {
  type createEnclave,
  type Enclave,
  type EnclaveExport,
  isAnswer,
  isRefusal,
  mayRefuse,
  type Refusal,
  type RefusalName,
} from '@keyhole/enclave'
import { withTypedCalls } from './typed-calls.ts'

/** What the fake keeps of an account: everything a test looks at, nothing that is cryptography. */
interface FakeAccount {
  address: string
  chainId: string
  revision: number
  /** Stands for the data key: replaced with every change that replaces it. */
  epoch: number
  label?: string
  keys: FakeKey[]
  methods: FakeMethod[]
  log: { key: string; next: number; head: string }
}

interface FakeMethod {
  id: string
  kind: 'passphrase' | 'passkey' | 'recovery_code'
  created_at: number
  secret: string
  label?: string
  credential?: string
  relying_party?: string
  salt?: string
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
  /** The last two states, oldest first. */
  before: FakeAccount[]
  locked: boolean
  clients: Set<() => void>
  importing?: Input | undefined
}

type Input = Record<string, unknown>
type Answer = Refusal | object | undefined

/** The codes of what the fake refuses, where they are not OPERATION_FAILED. */
const CODES: Partial<Record<RefusalName, Refusal['code']>> = {
  NoVault: 'VAULT_NOT_INITIALIZED',
  VaultOpen: 'VAULT_ALREADY_INITIALIZED',
  VaultLocked: 'VAULT_LOCKED',
  KeyNotFound: 'KEY_NOT_FOUND',
  KeyTypeUnknown: 'INVALID_KEY_TYPE',
  WrongPassphrase: 'INVALID_PASSPHRASE',
  WrongPasskey: 'INVALID_PASSPHRASE',
  WrongRecoveryCode: 'INVALID_PASSPHRASE',
}

const refuse = (name: RefusalName): Refusal => ({
  error: `The fake refuses: ${name}.`,
  code: CODES[name] ?? 'OPERATION_FAILED',
  name,
})

/** What a proof is refused by that does not open. */
function wrong(proof: unknown): Refusal {
  if (typeof proof === 'object' && proof !== null && 'passkey' in proof) return refuse('WrongPasskey')
  const isCode = typeof proof === 'object' && proof !== null && 'recovery_code' in proof
  return refuse(isCode ? 'WrongRecoveryCode' : 'WrongPassphrase')
}
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
    return withTypedCalls({
      get account() {
        return account
      },
      kind: this.kind,
      async callByName(name: EnclaveExport, input: unknown = {}) {
        // A copy goes in and a copy comes out, as through a port.
        const sent: Input = JSON.parse(JSON.stringify(input ?? {}))
        world.calls.push({ name, input: sent })
        const planned = world.#take(name)
        const revision = vault.account?.revision
        const locked = vault.locked
        const answer: unknown = planned ? await planned() : world.#answer(vault, name, sent)
        if (!planned) requireContract(name, answer)
        if (revision !== vault.account?.revision || locked !== vault.locked) {
          for (const other of vault.clients) if (other !== tell) other()
        }
        return answer === undefined ? answer : JSON.parse(JSON.stringify(answer))
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
        vault = { account: undefined, before: [], locked: true, clients: new Set() }
      },
    })
  }

  #home(named: string | undefined): FakeVault {
    const fresh = { account: undefined, before: [], locked: true, clients: new Set<() => void>() }
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
        if (account) return refuse('VaultOpen')
        if (!['ed25519', 'p256', 'secp256k1', undefined].includes(input.key_type as string | undefined)) {
          return refuse('KeyTypeUnknown')
        }
        const methods = newMethods(input)
        const recovery_code = methods.find(({ kind }) => kind === 'recovery_code')?.secret
        if (!isEnough(methods)) return tooFew(methods)
        const address = `kh1fake${++serial}${Math.random().toString(36).slice(2, 10)}`
        const chainId = text(input.chain_id) || 'keyhole-1'
        const log = { key: `log-${++serial}`, next: 1, head: '' }
        vault.account = { address, chainId, revision: 1, epoch: ++serial, keys: [], methods, log }
        if (typeof input.label === 'string') vault.account.label = input.label
        const { label: _, ...key } = keyInput(input)
        vault.account.keys.push(this.#key(key, true))
        vault.locked = false
        return { ...sealed(vault), ...(recovery_code !== undefined && { recovery_code }) }
      }
      case 'open_vault': {
        const next = decode(text((JSON.parse(text(input.enclave)) as Input).sealed)) as FakeAccount
        const behind = account !== undefined && account.revision < next.revision
        if (account && (account.address !== next.address || !(vault.locked || behind))) {
          return refuse('VaultOpen')
        }
        // An unlocked vault follows what its own data key opens.
        vault.locked ||= account?.epoch !== next.epoch
        if (!account || behind) {
          vault.account = next
          vault.before = []
        }
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
        const backup = fakeBackup(input)
        const { address, chainId } = backup.account
        return { format: 'fake', address, chain_id: chainId, created_at: 0 }
      }
      case 'import_vault':
        return this.#import(vault, input)
      case 'begin_import': {
        const checked = checkBackup(input)
        if (!('keys' in checked)) return checked
        if (!input.check && account && vault.locked) return refuse('VaultLocked')
        vault.importing = input
        return { format: 'keyhole-backup-v3', ...checked }
      }
      case 'open_backup_chunk': {
        if (!vault.importing) return refuse('BackupOutOfStep')
        const { chunk, last } = JSON.parse(text(input.chunk)) as { chunk: string; last: boolean }
        if (last) vault.importing = { ...vault.importing, read: true }
        return { contents: decode(chunk), last }
      }
      case 'finish_import':
        if (!vault.importing?.read) return refuse('BackupOutOfStep')
        return this.#import(vault, { ...vault.importing, ...input })
      case 'end_backup':
        vault.importing = undefined
        return {}
      case 'check_backup':
        return checkBackup(input)
      case 'preview_key': {
        const { key_type, did } = this.#key(keyInput(input), true)
        return { key_type, did, address: `kh1of-${did}` }
      }
    }
    if (!account) return refuse('NoVault')
    if (name === 'unlock_vault') {
      if (!opens(account, input.proof)) return wrong(input.proof)
      vault.locked = false
      if (input.suspend_mandates !== true) return { status: status(vault) }
      vault.account = { ...account, revision: account.revision + 1 }
      return sealed(vault)
    }
    if (name === 'list_unlock_methods') {
      return {
        methods: account.methods.map(({ secret: _, label, ...method }) =>
          vault.locked || label === undefined ? method : { ...method, label },
        ),
      }
    }
    if (name === 'lock_vault') {
      vault.locked = true
      return sealed(vault)
    }
    if (name === 'get_issuer_did') {
      const { address, chainId } = account
      return { issuer_did: account.keys[0]?.did, address, chain_id: chainId }
    }
    if (vault.locked) return refuse('VaultLocked')
    return this.#unlocked(vault, account, name, input)
  }

  #unlocked(vault: FakeVault, account: FakeAccount, name: EnclaveExport, input: Input): Answer {
    const change = (make: (next: FakeAccount) => Answer): Answer => {
      const next = structuredClone(account)
      next.revision += 1
      const answer = make(next)
      if (answer && 'code' in answer) return answer
      vault.before = [...vault.before, account].slice(-2)
      vault.account = next
      return { ...sealed(vault), ...answer }
    }
    const rekeyed = (make: (next: FakeAccount) => Answer): Answer => {
      if (!opens(account, input.proof)) return wrong(input.proof)
      return change((next) => {
        const answer = make(next)
        if (!isEnough(next.methods)) return tooFew(next.methods)
        next.epoch = ++serial
        return answer
      })
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
          if (!key) return refuse('KeyNotFound')
          if (key.is_first) return refuse('FirstKey')
          next.keys = next.keys.filter((each) => each !== key)
          return {}
        })
      case 'set_default_key':
        return change((next) => {
          if (!find(next.keys)) return refuse('KeyNotFound')
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
          if (!key) return refuse('KeyNotFound')
          key.label = text(input.label)
          return {}
        })
      case 'import_key':
        return change((next) => {
          const key = this.#key({ ...keyInput(input), label: input.label }, false)
          if (next.keys.some(({ did }) => did === key.did)) return refuse('KeyKnown')
          next.keys.push(key)
          return { key }
        })
      case 'set_passphrase':
        return rekeyed((next) => {
          next.methods = next.methods.filter(({ kind }) => kind !== 'passphrase')
          next.methods.push(...newMethods({ passphrase: input.passphrase }))
          return {}
        })
      case 'add_passkey':
        if (!opens(account, input.proof)) return wrong(input.proof)
        return change((next) => {
          const [method] = newMethods({ passkey: input.passkey })
          if (method) next.methods.push(method)
          return { method_id: method?.id }
        })
      case 'new_recovery_code':
        return rekeyed((next) => {
          const [method] = newMethods({ recovery_code: true })
          next.methods = next.methods.filter(({ kind }) => kind !== 'recovery_code')
          if (method) next.methods.push(method)
          return { recovery_code: method?.secret }
        })
      case 'remove_unlock_method':
        return rekeyed((next) => {
          next.methods = next.methods.filter(({ id }) => id !== input.method_id)
          return next.methods.length === account.methods.length ? refuse('MethodNotFound') : {}
        })
      case 'label_unlock_method':
        return change((next) => {
          const method = next.methods.find(({ id }) => id === input.method_id)
          if (!method) return refuse('MethodNotFound')
          method.label = text(input.label)
          return {}
        })
      case 'rollback_vault': {
        const before = vault.before.at(-1)
        if (input.revision !== account.revision) return refuse('ChangeNotLast')
        if (!before) return refuse('NoChangeToTakeBack')
        vault.account = before
        vault.before = vault.before.slice(0, -1)
        return { status: status(vault) }
      }
      case 'log_activity':
        return change((next) => {
          const records = (input.entries as object[]).map((entry) => {
            const seq = next.log.next++
            const line = { seq, entry, prev: next.log.head, mac: '' }
            line.mac = macOf(next.log.key, line)
            next.log.head = line.mac
            const record = { context: `activity:${seq}`, plaintext: JSON.stringify(line) }
            return { seq, sealed: encode(record) }
          })
          return { records }
        })
      // The fake keeps no mandates: payments are tested with the real enclave.
      case 'list_mandates':
        return { mandates: [] }
      case 'read_activity':
        return readLog(account, input.records as { seq: number; sealed: string }[])
      case 'export_vault':
        if (!opens(account, input.proof)) return wrong(input.proof)
        return { backup: encode({ account, by: input.export_passphrase, contents: input.contents }) }
      case 'begin_export': {
        if (!opens(account, input.proof)) return wrong(input.proof)
        const fake = encode({ account, by: input.export_passphrase, contents: input.contents })
        return { backup: JSON.stringify({ format: 'keyhole-backup-v3', fake }) }
      }
      case 'seal_backup_chunk':
        return { chunk: JSON.stringify({ chunk: encode(input.contents), last: input.last }) }
      case 'seal_records':
        return { records: (input.records as object[]).map((record) => ({ sealed: encode(record) })) }
      case 'open_records':
        return {
          records: (input.records as { context: string; sealed: string }[]).map((record) => {
            const { context, plaintext } = decode(record.sealed) as { context: string; plaintext: string }
            return context === record.context ? { plaintext } : refuse('RecordInvalid')
          }),
        }
      case 'sign_data':
        return { signature: [...Buffer.from(text(input.data), 'base64url')].reverse() }
      case 'new_origin_token':
      case 'new_attenuated_token': {
        const key = account.keys.find(({ is_default }) => is_default) ?? account.keys[0]
        const signer = input.key_id === undefined ? key : find(account.keys)
        if (!signer) return refuse('KeyNotFound')
        return this.#token(signer, input)
      }
      case 'invoke':
      case 'revoke':
      case 'issue_receipt': {
        const signer = input.key_id === undefined ? account.keys[0] : find(account.keys)
        if (!signer) return refuse('KeyNotFound')
        return this.#invocation(signer, name, input)
      }
      default:
        throw new Error(`The fake has no ${name}: test that with the real enclave.`)
    }
  }

  #import(vault: FakeVault, input: Input): Answer {
    const checked = checkBackup(input)
    if (!('keys' in checked)) return checked
    const backup = fakeBackup(input)
    const { account } = vault
    if (account && vault.locked) return refuse('VaultLocked')
    if (account && account.address !== backup.account.address) return refuse('ImportOfOtherAccount')
    const without = (input.without as string[] | undefined) ?? []
    const missing = backup.account.keys.filter(
      ({ key_id }) =>
        !account?.keys.some((key) => key.key_id === key_id) && !(account && without.includes(key_id)),
    )
    if (account) vault.before = [...vault.before, account].slice(-2)
    const theirs = backup.account.log
    const log =
      account && (account.log.key !== theirs.key || account.log.next >= theirs.next) ? account.log : theirs
    const keys = [...(account?.keys ?? []), ...missing]
    vault.account = account
      ? { ...account, revision: account.revision + 1, keys, log: { ...log } }
      : {
          ...backup.account,
          revision: Math.max(backup.account.revision, Number(input.above ?? 0)) + 1,
          methods: newMethods(input),
          epoch: ++serial,
        }
    vault.locked = false
    return { ...sealed(vault), contents: backup.contents, added_keys: missing.map(({ key_id }) => key_id) }
  }

  #key(input: Input, first: boolean): FakeKey {
    const foreign = createHash('sha256').update(text(input.text)).digest('hex').slice(0, 12)
    const id = text(input.text) ? `key-${foreign}` : `key-${++serial}`
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
    if (name !== 'invoke') return { token, cid, payload }
    const task = `task-of-${cid}`
    return { token, cid, task, issuer: signer.did, expires_at: payload.exp, payload }
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
      payload,
      ...(input.parent_token !== undefined && { effective: { command, policy, expires_at: expires } }),
    }
  }
}

/** What the fake says of itself is what the contract has of that export. */
function requireContract(name: EnclaveExport, answer: unknown): void {
  if (isRefusal(answer) ? mayRefuse(name, answer.name) : isAnswer(name, answer)) return
  const how = isRefusal(answer) ? `refuses ${name} by ${answer.name}` : `answers ${name}`
  throw new Error(`The fake ${how} otherwise than the contract says.`)
}

interface FakeBackup {
  account: FakeAccount
  by: string
  contents: unknown
}

function fakeBackup(input: Input): FakeBackup {
  const backup = text(input.backup)
  const sealed = backup.startsWith('{') ? text((JSON.parse(backup) as Input).fake) : backup
  return decode(sealed) as FakeBackup
}

function checkBackup(input: Input) {
  const { account, by, contents } = fakeBackup(input)
  const code = account.methods.find(({ kind }) => kind === 'recovery_code')?.secret
  const isOpen =
    input.export_passphrase === undefined ? input.recovery_code === code : by === input.export_passphrase
  if (!isOpen) return wrong(input.recovery_code === undefined ? {} : { recovery_code: 1 })
  const keys = account.keys.map(({ key_id, key_type, did }) => ({ key_id, key_type, did }))
  return { address: account.address, chain_id: account.chainId, created_at: 1_000, keys, contents }
}

/** The fields of a key from elsewhere are the call's own where it brings one. */
function keyInput({ key, ...input }: Input): Input {
  const { key_type, ...foreign } = (key ?? {}) as Input
  return { ...input, ...foreign, key_type: key_type ?? input.key_type }
}

function newMethods({ passphrase, passkey, recovery_code }: Input): FakeMethod[] {
  const created_at = Math.floor(Date.now() / 1000)
  const { prf, ...about } = (passkey ?? {}) as Omit<FakeMethod, 'id' | 'kind'> & { prf: string }
  const method = (kind: FakeMethod['kind'], secret: string): FakeMethod => ({
    ...{ id: `method-${++serial}`, kind, created_at, secret },
  })
  return [
    ...(passphrase === undefined ? [] : [method('passphrase', text(passphrase))]),
    ...(passkey === undefined ? [] : [{ ...about, ...method('passkey', prf) }]),
    ...(recovery_code ? [method('recovery_code', `CODE-${++serial}`)] : []),
  ]
}

function tooFew(methods: readonly FakeMethod[]): Refusal {
  return refuse(methods.some(({ kind }) => kind === 'passkey') ? 'PasskeyAlone' : 'RecoveryCodeAlone')
}

function isEnough(methods: readonly FakeMethod[]): boolean {
  const has = (kind: FakeMethod['kind']) => methods.some((method) => method.kind === kind)
  return has('passphrase') || (has('passkey') && methods.length > 1)
}

function opens({ methods }: FakeAccount, proof: unknown): boolean {
  const { passphrase, passkey, recovery_code } = (proof ?? {}) as Input
  const { credential, prf } = (passkey ?? {}) as Input
  return methods.some(({ kind, secret, credential: own }) => {
    if (kind === 'passphrase') return secret === passphrase
    return kind === 'passkey' ? secret === prf && own === credential : secret === recovery_code
  })
}

interface FakeLine {
  seq: number
  entry: object
  prev: string
  mac: string
}

function macOf(key: string, { seq, entry, prev }: FakeLine): string {
  return createHash('sha256')
    .update(JSON.stringify([key, seq, entry, prev]))
    .digest('base64url')
}

function readLog({ log }: FakeAccount, records: readonly { seq: number; sealed: string }[]) {
  let expected: { seq: number; mac: string } | undefined = { seq: log.next - 1, mac: log.head }
  const lines = records
    .toSorted((one, other) => other.seq - one.seq)
    .map(({ seq, sealed: record }) => {
      const { context, plaintext } = decode(record) as { context: string; plaintext: string }
      const line = context === `activity:${seq}` ? (JSON.parse(plaintext) as FakeLine) : undefined
      if (!line) return { seq, entry: null, sound: false }
      const linked = expected?.seq !== seq || expected.mac === line.mac
      const sound = linked && seq < log.next && line.seq === seq && line.mac === macOf(log.key, line)
      expected = sound ? { seq: seq - 1, mac: line.prev } : undefined
      return { seq, entry: line.entry, sound }
    })
  return { lines: lines.reverse(), missing: [], count: log.next - 1 }
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
  if (!tokens) return refuse('MalformedToken')
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
  if (!tokens) return refuse('MalformedToken')
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
