import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactJson } from '../policy/json.ts'
import { toValue, valueText } from '../policy/value-text.ts'
import { EMPTY_POLICY, editText, editWords, policyDraft, readPolicyDraft } from './draft.ts'
import { fitting, unfitting } from './examples.ts'
import { emptyNode, nodeStatement, policyNodes, withKind } from './node.ts'
import { readPolicy } from './policy-text.ts'

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/)
const part = fc.oneof(
  name.map((key) => `.${key}`),
  fc.string().map((key) => `[${JSON.stringify(key)}]`),
  fc.integer({ min: -9, max: 9 }).map((index) => `[${index}]`),
  fc.constantFrom('[]', '[1:]', '[:-1]'),
)
const selector = fc.oneof(
  fc.constant('.'),
  fc
    .array(fc.tuple(part, fc.constantFrom('', '?')), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([text, mark]) => text + mark).join(''))
    .map((text) => (text.startsWith('.') ? text : `.${text}`)),
)
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).filter((value) => !Number.isSafeInteger(Number(value))),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
)
const link = fc.constant({ '/': 'bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' })
const bytes = fc.base64String().map((text) => ({ '/': { bytes: text.replaceAll('=', '') } }))
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.constantFrom(null, true, false, '', ' ', '5', 'true', '"x"', '[1]', '{}'),
    number,
    link,
    bytes,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }).filter((map) => !Object.hasOwn(map, '/')),
  ),
}))
const { statement } = fc.letrec<{ statement: unknown[] }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(fc.constantFrom('==', '!='), selector, value),
    fc.tuple(fc.constantFrom('<', '<=', '>', '>='), selector, number),
    fc.tuple(fc.constant('like'), selector, fc.string()),
    fc.tuple(fc.constantFrom('and', 'or'), fc.array(tie('statement'), { maxLength: 3 })),
    fc.tuple(fc.constant('not'), tie('statement')),
    fc.tuple(fc.constantFrom('all', 'any'), selector, tie('statement')),
  ),
}))
const policy = fc.array(statement, { maxLength: 4 })

describe('a policy in words', () => {
  it('is the same policy, and turns back into the same text', () => {
    fc.assert(
      fc.property(policy, (original) => {
        const nodes = policyNodes(original)
        expect(nodes?.map(nodeStatement)).toEqual(original)
        const read = readPolicyDraft(editWords(EMPTY_POLICY, nodes ?? []))
        expect(read).toEqual({ policy: original, nodeProblems: {}, textProblem: undefined, ok: true })
        const draft = editText(EMPTY_POLICY, exactJson(original))
        expect(readPolicyDraft(draft)).toMatchObject({ policy: original, ok: true })
        expect(draft.nodes.map(nodeStatement)).toEqual(original)
      }),
    )
  })

  it('keeps every value exactly in its field', () => {
    fc.assert(
      fc.property(value, (each) => {
        expect(toValue(valueText(each))).toEqual(each)
      }),
    )
  })

  it('follows the text, and stays unchanged while the text is wrong', () => {
    const good = editText(EMPTY_POLICY, '[["<=", ".amount", 5]]')
    expect(good.nodes).toMatchObject([{ kind: '<=', field: '.amount', value: '5' }])
    const bad = editText(good, '[["<=", ".amount", 5]')
    expect(bad.nodes).toBe(good.nodes)
    expect(readPolicyDraft(bad)).toMatchObject({ ok: false, textProblem: expect.stringContaining('line 1') })
  })

  it('leaves the text unchanged while a limit is unfinished, and counts the finished ones', () => {
    const one = policyDraft([['==', '.a', 1]])
    const more = editWords(one, [...one.nodes, emptyNode()])
    expect(more.text).toBe(one.text)
    expect(readPolicyDraft(more)).toMatchObject({ ok: false, policy: [['==', '.a', 1]] })
  })

  it('moves a comparison into its new group, and reads empty text as no limits', () => {
    const [node] = policyDraft([['==', '.a', 1]]).nodes
    expect(node && nodeStatement(withKind(node, 'not'))).toEqual(['not', ['==', '.a', 1]])
    expect(readPolicyDraft(editText(EMPTY_POLICY, ' '))).toMatchObject({ ok: true, policy: [] })
    expect(readPolicy('[["==", ".a", 1e999]]')).toHaveProperty('problem')
  })
})

describe('example calls', () => {
  it('are made for what a policy asks', () => {
    const asked = [
      ['like', '.to', '*@example.com'],
      ['<=', '.size', 10],
      ['all', '.list', ['>', '.n', 1]],
      ['or', [['==', '.mode.fast', true]]],
    ]
    expect(fitting(asked)).toEqual({
      to: 'example@example.com',
      size: 10,
      list: [{ n: 2 }],
      mode: { fast: true },
    })
    expect(unfitting('/msg', [['<=', '.size', 10]])).toEqual({ command: '/msg', args: { size: 11 } })
    expect(unfitting('/msg', [])).toEqual({ command: '/other', args: {} })
  })
})
