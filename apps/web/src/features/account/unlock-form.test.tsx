import { MessagePort } from 'node:worker_threads'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { announceBy } from '../../shared/browser/announce.ts'
import { openVault, PASSPHRASE } from '../../test/open-vault.tsx'
import { UnlockForm } from './unlock-form.tsx'

const { vault, show } = openVault()

const decoder = new TextDecoder()

/** Whether the passphrase is in a value, however it is written. */
function holds(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(PASSPHRASE)
  if (value instanceof Uint8Array) return decoder.decode(value).includes(PASSPHRASE)
  if (Array.isArray(value)) return value.some(holds)
  return typeof value === 'object' && value !== null && Object.values(value).some(holds)
}

/** The sources on the stack whenever something of the platform's is given the passphrase, or gives it. */
class Walk {
  readonly files = new Set<string>()
  /** What was called of the enclave. */
  readonly calls: string[] = []

  note(): void {
    const stack = new Error('here').stack ?? ''
    for (const [, file = ''] of stack.matchAll(/\/((?:apps\/web|packages\/[\w-]+)\/src\/[^\s:]+):\d+/g)) {
      if (!/\/test\/|\.test\./.test(file)) this.files.add(file)
    }
  }

  /** Watches a function of the platform's: what it is called on, and with. */
  watch<Name extends string>(holder: Record<Name, (...given: never[]) => unknown>, name: Name): void {
    const original: (...given: never[]) => unknown = holder[name]
    const seen = (self: unknown, given: unknown[]) => {
      if (holds(given) || (self instanceof String && holds(self.valueOf()))) this.note()
      for (const message of given) this.calls.push(...callsIn(message))
    }
    holder[name] = function (this: unknown, ...given: never[]) {
      seen(Object(this), given)
      return Reflect.apply(original, this, given)
    }
    onTestFinished(() => {
      holder[name] = original
    })
  }

  /** Watches a field. */
  watchField(field: HTMLInputElement): void {
    const { value } = field
    Object.defineProperty(field, 'value', {
      configurable: true,
      get: () => {
        this.note()
        return value
      },
      set: () => Reflect.deleteProperty(field, 'value'),
    })
  }
}

/** The names of the calls in a message to the enclave's thread. */
function callsIn(message: unknown): string[] {
  if (typeof message !== 'object' || message === null || !('calls' in message)) return []
  return Array.isArray(message.calls) ? message.calls.map(([, name]) => String(name)) : []
}

it('takes a passphrase through no more sources than it must, and opens the sealed state once', async () => {
  await vault().lock()
  show(<UnlockForm />)
  const field = await screen.findByLabelText<HTMLInputElement>('Passphrase')
  fireEvent.change(field, { target: { value: PASSPHRASE } })
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  onTestFinished(() => {
    Error.stackTraceLimit = before
  })
  const walk = new Walk()
  walk.watchField(field)
  walk.watch(String.prototype, 'normalize')
  walk.watch(JSON, 'stringify')
  walk.watch(TextEncoder.prototype, 'encode')
  walk.watch(MessagePort.prototype, 'postMessage')
  fireEvent.click(screen.getByRole('button', { name: 'Unlock' }))
  await waitFor(() => expect(vault().getSnapshot().phase).toBe('unlocked'), { timeout: 10_000 })
  // In the enclave's own thread it goes on through these: the message, the call, the plugin, its memory.
  const beyond = ['worker/server.ts', 'plugin/instance.ts', 'plugin/plugin.ts', 'plugin/blocks.ts']
  expect([...walk.files].sort()).toEqual([
    'apps/web/src/features/account/unlock-form.tsx',
    'apps/web/src/shared/hooks/use-action.ts',
    'apps/web/src/shared/ui/layout/form.tsx',
    'apps/web/src/shared/unlock-proof/use-proven.ts',
    'apps/web/src/shared/unlock-proof/use-unlock-proof.ts',
    'packages/enclave/src/json.ts',
    'packages/enclave/src/worker/node-port.ts',
    'packages/enclave/src/worker/outbox.ts',
    'packages/enclave/src/worker/remote.ts',
    'packages/vault/src/enclave/plugin.ts',
    'packages/vault/src/enclave/screened-enclave.ts',
    'packages/vault/src/key-vault.ts',
    'packages/vault/src/session/context.ts',
    'packages/vault/src/session/locking.ts',
    'packages/vault/src/storage/write-lock.ts',
    'packages/vault/src/unlock/unlock-proof.ts',
  ])
  expect(walk.files.size + beyond.length).toBeLessThanOrEqual(20)
  const opening = walk.calls.filter((name) => name === 'open_vault' || name === 'unlock_vault')
  expect(opening).toEqual(['unlock_vault'])
})

it.each([
  ['in every tab, where they share an enclave', true, 'In every tab of this browser.'],
  ['in this tab alone, where each has its own', false, 'In this tab.'],
])('says that it is unlocked %s', async (_where, isShared, description) => {
  if (isShared) vi.stubGlobal('SharedWorker', class {})
  onTestFinished(() => void vi.unstubAllGlobals())
  const add = vi.fn()
  announceBy({ add, close: vi.fn() } as never)
  await vault().lock()
  show(<UnlockForm />)
  fireEvent.change(await screen.findByLabelText('Passphrase'), { target: { value: PASSPHRASE } })
  fireEvent.click(screen.getByRole('button', { name: 'Unlock' }))
  await waitFor(() =>
    expect(add).toHaveBeenCalledWith(expect.objectContaining({ title: 'Unlocked', description })),
  )
})
