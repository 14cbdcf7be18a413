import { createEnclave, type Enclave } from '@keyhole/enclave'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf } from '../engine/sandbox.ts'
import { RecipeApp, WISH } from './recipe-app.ts'
import { type Service, serviceOf } from './service.ts'

describe('the demo’s app at its service', () => {
  let vault: Enclave
  let keyless: Enclave
  let app: RecipeApp
  let service: Service
  let owner = ''

  const granted = (audience: string) =>
    vault.call('new_origin_token', {
      ...{ audience_did: audience, command: WISH.command, policy: WISH.policy },
    })

  beforeAll(async () => {
    ;[vault, keyless, app] = await Promise.all([
      createEnclave(),
      createEnclave({ keyless: true }),
      RecipeApp.make({}),
    ])
    const made: unknown = await vault.call('create_vault', { passphrase: 'four words that nobody guesses' })
    owner = textOf(Reflect.get(Object(made), 'status'), 'issuer_did')
    service = serviceOf(keyless, owner)
  })
  afterAll(() => Promise.all([vault?.close(), keyless?.close(), app?.close()]))

  it('is let in once per call, and not outside its limits, even with a genuine call', async () => {
    const grant = await app.read(textOf(await granted(app.did), 'token'))
    expect(grant).toMatchObject({ owner, says: { issuer: owner, audience: app.did, command: WISH.command } })
    const call = await app.call(grant, 'recipes')
    expect(await service.check(call)).toMatchObject({ authorized: true, args: { folder: 'recipes' } })
    expect(await service.check(call)).toMatchObject({ refusal: { name: 'Replayed' } })
    await expect(app.call(grant, 'letters')).rejects.toThrow()
    const beyond = await service.check(await app.overreach(grant, 'letters'))
    expect(beyond).toMatchObject({ refusal: { name: 'MatchError' } })
  })

  it('is refused once the service knows of a revocation', async () => {
    const made = await granted(app.did)
    const grant = await app.read(textOf(made, 'token'))
    const revocation = await vault.call('revoke', { cid: textOf(made, 'cid'), token: grant.token })
    expect(await service.check(await app.call(grant, 'recipes'))).toHaveProperty('authorized', true)
    expect(await service.revoke(textOf(revocation, 'token'))).toHaveProperty('added')
    const after = await service.check(await app.call(grant, 'recipes'))
    expect(after).toMatchObject({ refusal: { name: 'Revoked' } })
  })

  it('rejects a token issued to someone else', async () => {
    await expect(app.read(textOf(await granted(owner), 'token'))).rejects.toMatchObject({
      details: { name: 'InvalidAudience' },
    })
    await expect(app.read('Cnonsense')).rejects.toThrow()
  })
})
