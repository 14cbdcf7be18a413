import { describe, expect, it } from 'vitest'
import { EMPTY_DRAFT, fromTemplate, type GrantDraft, readDraft, switchLimits } from './draft.ts'
import { localInput, readExpiry } from './expiry.ts'
import { payloadPreview } from './preview.ts'
import { TEMPLATES } from './templates.ts'

const NOW = Date.UTC(2026, 10, 21, 10)
const DID = 'did:key:z6MkthemThemThemThemThemThemThemThemThemThemTHEM'
const GOOD: GrantDraft = { ...EMPTY_DRAFT, audience: DID, command: '/msg/send' }

describe('readDraft', () => {
  it('takes a filled-in form', () => {
    const read = readDraft(GOOD, NOW)
    expect(read).toMatchObject({ ok: true, policy: [], expiresAt: NOW / 1000 + 86_400 })
  })

  it('names each field that is not right, and keeps the rest', () => {
    const rows = [
      { id: 3, field: 'amount', operator: '<=' as const, value: 'many' },
      { id: 4, field: 'amount', operator: '>' as const, value: '0' },
    ]
    const read = readDraft({ ...EMPTY_DRAFT, limits: { mode: 'rows', rows } }, NOW)
    expect(read.ok).toBe(false)
    expect(Object.keys(read.problems)).toEqual(expect.arrayContaining(['audience', 'command', 'rows']))
    expect(read.problems.rows).toHaveProperty('3')
    expect(read.policy).toEqual([['>', '.amount', 0]])
  })

  it('refuses a policy that does not parse', () => {
    const read = readDraft({ ...GOOD, limits: { mode: 'json', text: '[["==", ".a"' } }, NOW)
    expect(read.ok).toBe(false)
    expect(read.problems.limits).toContain('line 1')
  })
})

describe('switchLimits', () => {
  it('goes to JSON and back', () => {
    const rows = [{ id: 0, field: '.amount', operator: '<=' as const, value: '5000' }]
    const json = switchLimits({ mode: 'rows', rows })
    expect(json).toMatchObject({ mode: 'json' })
    expect('mode' in json && switchLimits(json)).toEqual({ mode: 'rows', rows })
  })
  it('stays with JSON where rows cannot say it', () => {
    expect(switchLimits({ mode: 'json', text: '[["not", ["==", ".a", 1]]]' })).toHaveProperty('problem')
  })
})

describe('readExpiry', () => {
  it('counts from now, in seconds', () =>
    expect(readExpiry('1h', '', NOW)).toEqual({ at: NOW / 1000 + 3600 }))
  it('leaves the end to the chain when narrowing', () =>
    expect(readExpiry('same', '', NOW)).toEqual({ at: undefined }))
  it('refuses the past and nothing', () => {
    expect(readExpiry('on', '', NOW)).toHaveProperty('problem')
    expect(readExpiry('on', '2020-01-01T00:00', NOW)).toHaveProperty('problem')
  })
  it('reads back what it writes', () => {
    expect(readExpiry('on', localInput(NOW + 120_000), NOW)).toEqual({ at: NOW / 1000 + 120 })
  })
})

describe('templates', () => {
  it.each(TEMPLATES)('$name is a grant once it has an audience', (template) => {
    const draft = fromTemplate({ ...EMPTY_DRAFT, audience: DID }, template)
    expect(readDraft(draft, NOW)).toMatchObject({ ok: true })
  })
})

describe('payloadPreview', () => {
  it('shows what is known and leaves out what is absent', () => {
    const preview = payloadPreview({
      issuer: DID,
      audience: '',
      subject: DID,
      command: '',
      policy: [],
      expiresAt: null,
    })
    expect(preview).toMatchObject({ iss: DID, aud: '…', cmd: '…', exp: null })
    expect(preview.nbf).toBeUndefined()
  })
})
