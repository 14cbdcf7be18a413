import { describe, expect, it } from 'vitest'
import { EMPTY_POLICY, editText, editWords, policyDraft } from '../policy-editor/draft.ts'
import { emptyNode } from '../policy-editor/node.ts'
import { EMPTY_DRAFT, fromTemplate, type GrantDraft, readDraft } from './draft.ts'
import { readExpiry } from './expiry.ts'
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
    const limits = editWords(policyDraft([['>', '.amount', 0]]), [
      ...policyDraft([['>', '.amount', 0]]).nodes,
      { ...emptyNode('<='), field: 'amount', value: 'many' },
    ])
    const read = readDraft({ ...EMPTY_DRAFT, limits }, NOW)
    expect(read.ok).toBe(false)
    expect(Object.keys(read.problems)).toEqual(['audience', 'command'])
    expect(Object.values(read.limits.nodeProblems)).toHaveLength(1)
    expect(read.policy).toEqual([['>', '.amount', 0]])
  })

  it('refuses a policy that does not parse', () => {
    const read = readDraft({ ...GOOD, limits: editText(EMPTY_POLICY, '[["==", ".a"') }, NOW)
    expect(read.ok).toBe(false)
    expect(read.limits.textProblem).toContain('line 1')
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
  it('takes a moment that is still to come', () => {
    expect(readExpiry('on', '2100-01-01T00:00Z', NOW)).toEqual({ at: Date.UTC(2100, 0) / 1000 })
  })
})

describe('templates', () => {
  it.each(TEMPLATES.flatMap(({ templates }) => templates))(
    '$id is a grant once it has an audience',
    (template) => {
      const draft = fromTemplate({ ...EMPTY_DRAFT, audience: DID }, template)
      expect(readDraft(draft, NOW)).toMatchObject({ ok: true })
    },
  )
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
