import { expect, test } from 'vitest'
import { messages } from './messages.ts'

async function transformed(source: string, file = '/somewhere/words.tsx'): Promise<string> {
  const { transform } = messages()
  if (typeof transform !== 'function') throw new Error('The plugin has no transform.')
  const result = await Reflect.apply(transform, {}, [source, file])
  return typeof result === 'object' && result !== null ? String(Reflect.get(result, 'code')) : ''
}

test('a message is compiled where it stands', async () => {
  const code = await transformed(`
    import { plural, t } from '@lingui/core/macro'
    export const said = (n: number, name: string) => t\`For \${name}: \${plural(n, { one: '# key', other: '# keys' })}\`
  `)
  expect(code).not.toContain('macro')
  expect(code.replaceAll(/\s+/g, '')).toContain('message:["For",["name"],":",["n","plural",{')
  expect(code).toMatch(/one: \["#", " key"\]/)
})

test('a message without variables is a list of one text', async () => {
  const code = await transformed(`
    import { msg } from '@lingui/core/macro'
    export const label = msg\`Everything\`
  `)
  expect(code.replaceAll(/\s+/g, '')).toContain('message:["Everything"]')
})

test('elements inside a sentence stay one message', async () => {
  const code = await transformed(`
    import { Trans } from '@lingui/react/macro'
    export const line = <Trans>You hold <b>one</b> key</Trans>
  `)
  expect(code.replaceAll(/\s+/g, '')).toContain('message:["Youhold<0>one</0>key"]')
})

test('what has no macro is left as it is', async () => {
  expect(await transformed(`export const text = 'plain'`)).toBe('')
})
