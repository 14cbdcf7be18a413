import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useAction } from './use-action.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

afterEach(cleanup)

function shown<Args extends unknown[]>(perform: (...args: Args) => Promise<void>) {
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useAction(perform), { wrapper })
  return { client, action: () => result.current }
}

test('starts within the press, and ignores a second one while it runs', async () => {
  let end = () => {}
  const begun: string[] = []
  const { action } = shown(async (name: string) => {
    begun.push(name)
    await new Promise<void>((resolve) => {
      end = resolve
    })
  })
  act(() => {
    action().run('first')
    expect(begun).toEqual(['first'])
    action().run('second')
  })
  await waitFor(() => expect(action().pending).toBe(true))
  expect(begun).toEqual(['first'])
  end()
  await waitFor(() => expect(action().pending).toBe(false))
  act(() => action().run('third'))
  expect(begun).toEqual(['first', 'third'])
})

test('a refusal is shown until it is cleared or run again, even if it is thrown at once', async () => {
  const refusal = new Error('refused')
  let refuses = true
  const { action } = shown((): Promise<void> => {
    if (refuses) throw refusal
    return Promise.resolve()
  })
  act(() => action().run())
  await waitFor(() => expect(action().error).toBe(refusal))
  expect(action().pending).toBe(false)
  act(() => action().clear())
  await waitFor(() => expect(action().error).toBeUndefined())
  act(() => action().run())
  await waitFor(() => expect(action().error).toBe(refusal))
  refuses = false
  act(() => action().run())
  await waitFor(() => expect(action().error).toBeUndefined())
})

test.each([
  ['succeeded', async () => {}],
  [
    'was refused',
    async () => {
      throw new Error('refused')
    },
  ],
])('after it %s nothing holds its arguments', async (_how, ending) => {
  const seen: string[] = []
  const { client, action } = shown(async (secret: { passphrase: string }) => {
    seen.push(`${secret.passphrase.length}`)
    await ending()
  })
  let secret: WeakRef<object> | undefined
  act(() => {
    // Not in a variable that a closure could keep.
    const passphrase = { passphrase: 'correct horse battery staple' }
    secret = new WeakRef(passphrase)
    action().run(passphrase)
  })
  await waitFor(() =>
    expect(
      client
        .getMutationCache()
        .getAll()
        .map(({ state }) => state.status),
    ).toEqual([expect.stringMatching(/success|error/)]),
  )
  await waitFor(() => expect(action().pending).toBe(false))
  expect(seen).toEqual(['28'])
  // The mutation is still in the cache, because its outcome is shown.
  for (const { state } of client.getMutationCache().getAll()) {
    expect(state).toMatchObject({ variables: undefined, context: undefined, data: undefined })
  }
  await waitFor(() => {
    collectGarbage()
    expect(secret?.deref()).toBeUndefined()
  })
})
