import { describe, expect, it } from 'vitest'
import { refused, refusedToken, toKeyVaultError, VaultError } from './errors.ts'

describe('VaultError', () => {
  it('has the name VaultError, a code, a message, details and a cause', () => {
    const cause = new Error('why')
    const error = new VaultError('TIMEOUT', 'too late', { reason: 'slow' }, { cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'VaultError', code: 'TIMEOUT', message: 'too late', cause })
    expect(error.details).toEqual({ reason: 'slow' })
  })
})

describe("the key-vault layer's error", () => {
  it.each([
    'VAULT_NOT_INITIALIZED',
    'VAULT_ALREADY_INITIALIZED',
    'VAULT_LOCKED',
    'KEY_NOT_FOUND',
    'INVALID_KEY_TYPE',
    'OPERATION_FAILED',
    'INVALID_PASSPHRASE',
    'WASM_NOT_LOADED',
    'TIMEOUT',
  ])("raises the plugin's %s itself, with its text", (code) => {
    const raised = toKeyVaultError(new VaultError('OPERATION_FAILED', 'the text', { code }))
    expect(raised).toMatchObject({ code, message: 'the text' })
  })

  it("keeps a code that isn't one of the nine in the details", () => {
    const error = new VaultError('OPERATION_FAILED', 'the text', { code: 'ENOENT' })
    expect(toKeyVaultError(error)).toBe(error)
  })

  it('is VAULT_NOT_INITIALIZED if the client is not initialized', () => {
    const raised = toKeyVaultError(new VaultError('NOT_INITIALIZED', 'call initialize()'))
    expect(raised).toMatchObject({ code: 'VAULT_NOT_INITIALIZED', message: 'call initialize()' })
  })

  it("has the loader's message if the plugin does not load", () => {
    const reason = 'Failed to load WASM from /enclave.wasm: Failed to load WASM: 404 Not Found'
    const details = { code: 'WASM_NOT_LOADED', reason }
    const raised = toKeyVaultError(
      new VaultError('WASM_NOT_LOADED', `Failed to initialize vault: ${reason}`, details),
    )
    expect(raised).toMatchObject({
      code: 'WASM_NOT_LOADED',
      message: reason,
    })
  })

  it.each([new Error('odd'), 'odd'])('wraps any other thrown value in its own message', (thrown) => {
    const raised = toKeyVaultError(thrown)
    expect(raised).toMatchObject({ code: 'OPERATION_FAILED', details: { reason: 'odd' }, cause: thrown })
    expect(raised.message).not.toContain('odd')
  })
})

describe('a refusal by name', () => {
  it('has the code and the sentence of its name, and the name and the arguments in its details', () => {
    const error = refused('TooSoon', { failures: 3, seconds: 1 }, { details: { retryAt: 5 } })
    expect(error).toMatchObject({ code: 'OPERATION_FAILED' })
    expect(error.message).toBe('That was wrong 3 times in a row. Wait 1 second, then try again.')
    expect(error.details).toEqual({ name: 'TooSoon', args: { failures: 3, seconds: 1 }, retryAt: 5 })
  })

  it('of a token names the texts and numbers it is about', () => {
    const error = { name: 'Expired', message: 'm', cid: 'bafy', expected: 5, found: 9 } as const
    expect(refusedToken(error).details).toEqual({
      name: 'Expired',
      cid: 'bafy',
      args: { expected: 5, found: 9 },
    })
    const reason = { name: 'Replayed', message: 'm', cid: null, why: 'CarriedOutBefore' } as const
    expect(refusedToken(reason).details).toEqual({ name: 'Replayed', args: { why: 'CarriedOutBefore' } })
    const policy = {
      name: 'MatchError',
      message: 'm',
      cid: null,
      expected: ['==', '.to', 1],
      found: null,
    } as const
    expect(refusedToken(policy).details).toEqual({ name: 'MatchError' })
  })

  it('has no arguments if its sentence has none', () => {
    expect(refused('NoVault').details).toEqual({ name: 'NoVault' })
    expect(refused('NoVault').code).toBe('VAULT_NOT_INITIALIZED')
  })

  it('keeps its name in the key-vault layer', () => {
    const raised = toKeyVaultError(refused('ClientNotStarted'))
    expect(raised).toMatchObject({ code: 'VAULT_NOT_INITIALIZED', details: { name: 'ClientNotStarted' } })
  })

  it('of a call that took too long is TIMEOUT', () => {
    const details = { code: 'TIMEOUT', reason: 'slow' }
    const raised = toKeyVaultError(refused('CallTimedOut', { failure: 'Failed to sign data' }, { details }))
    expect(raised).toMatchObject({ code: 'TIMEOUT', details: { name: 'CallTimedOut' } })
  })
})
