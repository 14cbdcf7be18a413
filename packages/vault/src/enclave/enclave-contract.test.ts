import {
  createEnclave,
  type Enclave,
  type EnclaveExport,
  type EnclaveInput,
  type EnclaveRefusalName,
  isAnswer,
  isRefusal,
  mayRefuse,
} from '@keyhole/enclave'
import { afterEach, describe, expect, it } from 'vitest'
import { EnclaveWorld } from '../test/enclave-world.ts'

const PASSPHRASE = 'correct horse battery staple'
const PROOF = { passphrase: PASSPHRASE }
const WRONG = { passphrase: 'another passphrase entirely' }
const ENTRY = { kind: 'test' }

const started: Enclave[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((enclave) => enclave.close()))
})

// Most tests run the enclave in their own thread, so its answers there must match those from its worker.
describe.each<[string, () => Promise<Enclave>]>([
  ["the enclave in the test's thread", async () => await new EnclaveWorld().createEnclave()],
  ['the enclave in its worker', async () => await createEnclave()],
])('%s', (_, start) => {
  /** An enclave, with an account unless it should be empty. Checks every answer against the contract. */
  async function enclave({ empty = false } = {}) {
    const made = await start()
    started.push(made)
    const answer = async <Name extends EnclaveExport>(name: Name, input: EnclaveInput<Name>) => {
      const given = await made.callByName(name, input)
      if (isAnswer(name, given)) return given
      throw new Error(`${name} did not answer: ${JSON.stringify(given)}`)
    }
    const refusal = async <Name extends EnclaveExport>(
      name: Name,
      input: EnclaveInput<Name>,
    ): Promise<EnclaveRefusalName<Name>> => {
      const given = await made.callByName(name, input)
      if (!isRefusal(given)) throw new Error(`${name} was not refused: ${JSON.stringify(given)}`)
      expect(mayRefuse(name, given.name)).toBe(true)
      return given.name as EnclaveRefusalName<Name>
    }
    if (!empty) await answer('create_vault', { passphrase: PASSPHRASE, label: 'Ada' })
    return { answer, refusal }
  }

  it('reports a missing account', async () => {
    const { answer, refusal } = await enclave({ empty: true })
    expect((await answer('vault_status', {})).status).toMatchObject({ initialized: false, keys: [] })
    expect(await refusal('unlock_vault', { proof: PROOF })).toBe('NoVault')
    expect(await refusal('generate_key', {})).toBe('NoVault')
    expect(await refusal('lock_vault', {})).toBe('NoVault')
  })

  it('creates no account that cannot be opened, and no second one', async () => {
    const { refusal } = await enclave({ empty: true })
    expect(await refusal('create_vault', { recovery_code: true })).toBe('RecoveryCodeAlone')
    const { refusal: again } = await enclave()
    expect(await again('create_vault', { passphrase: PASSPHRASE })).toBe('VaultOpen')
  })

  it('shows public data while locked, and only opens with a proof', async () => {
    const { answer, refusal } = await enclave()
    const { status } = await answer('lock_vault', {})
    expect(status).toMatchObject({ initialized: true, locked: true })
    expect(status.label).toBeUndefined()
    expect(await refusal('label_vault', { label: 'Bob' })).toBe('VaultLocked')
    expect(await refusal('unlock_vault', { proof: WRONG })).toBe('WrongPassphrase')
    const unlocked = await answer('unlock_vault', { proof: PROOF })
    expect(unlocked.status).toMatchObject({ locked: false, label: 'Ada' })
    expect(unlocked.enclave).toBeUndefined()
  })

  it('opens its sealed state locked, and follows a newer one', async () => {
    const { answer } = await enclave()
    const { enclave: before } = await answer('label_vault', { label: 'Before' })
    const { enclave: after } = await answer('label_vault', { label: 'After' })
    const { answer: elsewhere, refusal } = await enclave({ empty: true })
    expect((await elsewhere('open_vault', { enclave: before })).status.locked).toBe(true)
    await elsewhere('unlock_vault', { proof: PROOF })
    const { status } = await elsewhere('open_vault', { enclave: after })
    expect(status).toMatchObject({ locked: false, label: 'After' })
    expect(await refusal('open_vault', { enclave: before })).toBe('VaultOpen')
  })

  it('raises the revision with each change, and rolls back two of them', async () => {
    const { answer, refusal } = await enclave()
    const { revision = 0 } = (await answer('vault_status', {})).status
    await answer('label_vault', { label: 'One' })
    const two = await answer('label_vault', { label: 'Two' })
    expect(two.status).toMatchObject({ revision: revision + 2, label: 'Two' })
    expect(await refusal('rollback_vault', { revision })).toBe('ChangeNotLast')
    expect((await answer('rollback_vault', { revision: revision + 2 })).status.label).toBe('One')
    expect((await answer('rollback_vault', { revision: revision + 1 })).status.label).toBe('Ada')
  })

  it('creates, names, chooses and deletes keys', async () => {
    const { answer, refusal } = await enclave()
    const { keys } = (await answer('vault_status', {})).status
    const first = keys[0]?.key_id ?? ''
    const { key } = await answer('generate_key', { key_type: 'p256', label: 'phone' })
    expect(key).toMatchObject({ key_type: 'p256', label: 'phone', is_default: false, is_first: false })
    await answer('set_default_key', { key_id: key.key_id })
    expect(await refusal('delete_key', { key_id: first })).toBe('FirstKey')
    expect(await refusal('delete_key', { key_id: 'none' })).toBe('KeyNotFound')
    expect(await refusal('label_key', { key_id: 'none', label: 'x' })).toBe('KeyNotFound')
    expect((await answer('label_key', { key_id: first, label: 'desk' })).status.keys[0]?.label).toBe('desk')
  })

  it('needs a proof to change how it is unlocked', async () => {
    const { answer, refusal } = await enclave()
    const next = 'the passphrase that comes next'
    expect(await refusal('set_passphrase', { proof: WRONG, passphrase: next })).toBe('WrongPassphrase')
    await answer('set_passphrase', { proof: PROOF, passphrase: next })
    const { methods } = await answer('list_unlock_methods', {})
    expect(methods).toMatchObject([{ kind: 'passphrase' }])
    const proof = { passphrase: next }
    expect(await refusal('remove_unlock_method', { proof, method_id: 'none' })).toBe('MethodNotFound')
    expect((await answer('new_recovery_code', { proof })).recovery_code.length).toBeGreaterThan(0)
    await answer('lock_vault', {})
    expect(await refusal('unlock_vault', { proof: PROOF })).toBe('WrongPassphrase')
    await answer('unlock_vault', { proof })
  })

  it('opens a record only in its own place, and detects changed log lines', async () => {
    const { answer } = await enclave()
    const { records } = await answer('seal_records', { records: [{ context: 'a', plaintext: 'text' }] })
    const sealed = records[0]?.sealed ?? ''
    const opened = await answer('open_records', {
      records: [
        { context: 'a', sealed },
        { context: 'b', sealed },
      ],
    })
    expect(opened.records).toMatchObject([{ plaintext: 'text' }, { name: 'RecordInvalid' }])
    const { records: lines } = await answer('log_activity', { entries: [ENTRY, ENTRY] })
    const [one, two] = lines
    if (!one || !two) throw new Error('Two lines were logged.')
    const read = await answer('read_activity', { records: [one, two] })
    expect(read).toMatchObject({ lines: [{ seq: 1, entry: ENTRY, sound: true }, { sound: true }], count: 2 })
    const swapped = await answer('read_activity', { records: [{ seq: 1, sealed: two.sealed }, two] })
    expect(swapped.lines[0]).toMatchObject({ sound: false })
  })

  it('signs valid tokens, says what is in them, and rejects any other text', async () => {
    const { answer, refusal } = await enclave()
    const { issuer_did } = await answer('get_issuer_did', {})
    const made = await answer('new_origin_token', { audience_did: issuer_did, command: '/msg' })
    expect(made.payload).toMatchObject({ iss: issuer_did, aud: issuer_did, cmd: '/msg', pol: [] })
    const verdict = await answer('verify_token', { token: made.token })
    expect(verdict).toMatchObject({ valid: true, chain: [{ cid: made.cid, issuer: issuer_did }] })
    const late = await answer('verify_token', { token: made.token, now: (made.expires_at ?? 0) + 61 })
    expect(late).toMatchObject({ valid: false, error: { name: 'Expired', cid: made.cid } })
    const { tokens } = await answer('inspect_token', { token: made.token })
    expect(tokens).toMatchObject([{ cid: made.cid, kind: 'delegation', payload: made.payload }])
    expect(await refusal('inspect_token', { token: '!' })).toBe('MalformedToken')
    const asked = { command: '/msg', args: {}, subject_did: issuer_did, key_id: 'none' }
    expect(await refusal('invoke', asked)).toBe('KeyNotFound')
  })

  it('signs invocations that can be used once', async () => {
    const { answer } = await enclave()
    const { issuer_did } = await answer('get_issuer_did', {})
    const made = await answer('invoke', { command: '/msg', args: { to: 'bob' }, subject_did: issuer_did })
    expect(made.payload).toMatchObject({ iss: issuer_did, cmd: '/msg', args: { to: 'bob' } })
    const invocation = made.token
    const verdict = await answer('validate_invocation', { invocation })
    expect(verdict).toMatchObject({ valid: true, cid: made.cid, task: made.task })
    const again = await answer('validate_invocation', { invocation, seen: [made.cid] })
    expect(again).toMatchObject({ valid: false, error: { name: 'Replayed' } })
    const receipt = await answer('issue_receipt', { task: made.task, ok: null })
    expect(receipt.payload).toMatchObject({ iss: issuer_did })
  })
})
