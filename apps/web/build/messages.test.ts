import { expect, test } from 'vitest'
import { messages } from './messages.ts'

async function transformed(source: string, file = '/somewhere/words.tsx'): Promise<string> {
  const { transform } = messages()
  if (typeof transform !== 'function') throw new Error('The plugin has no transform.')
  const result = await Reflect.apply(transform, {}, [source, file])
  return typeof result === 'object' && result !== null ? String(Reflect.get(result, 'code')) : ''
}

test('compiles a message in place', async () => {
  const code = await transformed(`
    import { plural, t } from '@lingui/core/macro'
    export const said = (n: number, name: string) => t\`For \${name}: \${plural(n, { one: '# key', other: '# keys' })}\`
  `)
  expect(code).not.toContain('macro')
  expect(code.replaceAll(/\s+/g, '')).toContain('message:["For",["name"],":",["n","plural",{')
  expect(code).toMatch(/one: \["#", " key"\]/)
})

test('compiles a message without variables to a list with one text', async () => {
  const code = await transformed(`
    import { msg } from '@lingui/core/macro'
    export const label = msg\`Everything\`
  `)
  expect(code.replaceAll(/\s+/g, '')).toContain('message:["Everything"]')
})

test('keeps elements inside a sentence as one message', async () => {
  const code = await transformed(`
    import { Trans } from '@lingui/react/macro'
    export const line = <Trans>You hold <b>one</b> key</Trans>
  `)
  expect(code.replaceAll(/\s+/g, '')).toContain('message:["Youhold<0>one</0>key"]')
})

test('leaves code without macros unchanged', async () => {
  expect(await transformed(`export const text = 'plain'`)).toBe('')
})
