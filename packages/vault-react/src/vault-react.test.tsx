import 'fake-indexeddb/auto'
import { KeyVault, type VaultDependencies } from '@keyhole/vault'
import { act, cleanup, render, screen } from '@testing-library/react'
import { StrictMode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EnclaveWorld } from '../../vault/src/test/enclave-world.ts'
import { openedByPasskey } from '../../vault/src/test/opening.ts'
import { BOB } from '../../vault/src/test/people.ts'
import * as api from './index.ts'
import { useTokens, useVault, useVaultEvent, useVaultSnapshot, VaultProvider } from './index.ts'

let world: EnclaveWorld

beforeEach(() => {
  world = new EnclaveWorld()
  localStorage.clear()
})

afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
})

function vaultWith(config = {}, dependencies: VaultDependencies = world) {
  return new KeyVault(config, dependencies)
}

function Phase() {
  const { phase, label } = useVaultSnapshot()
  return <p>{label === undefined ? phase : `${phase}: ${label}`}</p>
}

function ChainId() {
  return <p>{useVaultSnapshot().chainId}</p>
}

function Tokens() {
  const { loading, tokens } = useTokens()
  return <p>{loading ? 'reading' : `${tokens.length} tokens`}</p>
}

describe('the provider', () => {
  it('initialises on mount and cleans up on unmount', async () => {
    const vault = vaultWith()
    const { unmount } = render(
      <VaultProvider vault={vault}>
        <Phase />
      </VaultProvider>,
    )
    expect(screen.getByText('loading')).toBeDefined()
    expect(await screen.findByText('empty')).toBeDefined()
    unmount()
    await vi.waitFor(() => expect(vault.client.isInitialized).toBe(false))
    expect(world.closed).toBe(1)
  })

  it('does not initialise if autoInitialize is false', async () => {
    const vault = vaultWith({ autoInitialize: false })
    render(
      <VaultProvider vault={vault}>
        <Phase />
      </VaultProvider>,
    )
    await act(async () => undefined)
    expect(screen.getByText('uninitialized')).toBeDefined()
    expect(world.started).toEqual([])
  })

  it('starts one plugin under StrictMode, which mounts twice', async () => {
    const vault = vaultWith()
    const errors = vi.spyOn(console, 'error')
    const raised = vi.fn()
    vault.on('vault:error', raised)
    render(
      <StrictMode>
        <VaultProvider vault={vault}>
          <Phase />
        </VaultProvider>
      </StrictMode>,
    )
    expect(await screen.findByText('empty')).toBeDefined()
    expect(world.started).toHaveLength(1)
    expect(world.closed).toBe(0)
    expect(raised).not.toHaveBeenCalled()
    expect(errors).not.toHaveBeenCalled()
  })

  it('survives being remounted at once, and again later', async () => {
    const vault = vaultWith()
    const tree = () => (
      <VaultProvider vault={vault}>
        <Phase />
      </VaultProvider>
    )
    const first = render(tree())
    first.unmount()
    const second = render(tree())
    expect(await screen.findByText('empty')).toBeDefined()
    second.unmount()
    await vi.waitFor(() => expect(vault.client.isInitialized).toBe(false))
    render(tree())
    expect(await screen.findByText('empty')).toBeDefined()
    expect(vault.client.isInitialized).toBe(true)
  })

  it('initialises again if it remounts while still closing', async () => {
    const vault = vaultWith()
    const tree = () => (
      <VaultProvider vault={vault}>
        <Phase />
      </VaultProvider>
    )
    const first = render(tree())
    await screen.findByText('empty')
    first.unmount()
    // The task has ended, so the clean-up has started but isn't done.
    await Promise.resolve()
    render(tree())
    await vi.waitFor(() => expect(world.started).toHaveLength(2))
    expect(await screen.findByText('empty')).toBeDefined()
  })

  it('shows a failed start', async () => {
    world.plan('createEnclave', () => Promise.reject(new Error('404')))
    render(
      <VaultProvider vault={vaultWith()}>
        <Phase />
      </VaultProvider>,
    )
    expect(await screen.findByText('failed')).toBeDefined()
  })

  it('creates a vault from its config', async () => {
    render(
      <VaultProvider config={{ chainId: 'test-1', autoInitialize: false }}>
        <ChainId />
      </VaultProvider>,
    )
    expect(screen.getByText('test-1')).toBeDefined()
  })

  it('is required', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(() => render(<Phase />)).toThrow('This component needs a <VaultProvider> above it.')
  })
})

function Listener({ heard }: { heard: (text: string) => void }) {
  const [round, setRound] = useState(1)
  useVaultEvent('vault:locked', ({ address }) => heard(`${round} ${address}`))
  return (
    <button type="button" onClick={() => setRound(2)}>
      next
    </button>
  )
}

function Give({ to }: { to: (vault: KeyVault) => void }) {
  to(useVault())
  return null
}

describe('the hooks', () => {
  it('render again when the vault changes', async () => {
    const vault = vaultWith()
    render(
      <VaultProvider vault={vault}>
        <Phase />
        <Tokens />
      </VaultProvider>,
    )
    expect(screen.getByText('reading')).toBeDefined()
    expect(await screen.findByText('0 tokens')).toBeDefined()
    await act(() => vault.create(openedByPasskey({ label: 'Alice' })))
    expect(screen.getByText('unlocked: Alice')).toBeDefined()
    await act(() => vault.tokens.grant({ audience_did: BOB, command: '/a' }))
    expect(await screen.findByText('1 tokens')).toBeDefined()
    await act(() => vault.lock())
    expect(screen.getByText('locked')).toBeDefined()
  })

  it('call the latest listener for events, until they unmount', async () => {
    const vault = vaultWith()
    const heard: string[] = []
    const { unmount } = render(
      <VaultProvider vault={vault}>
        <Phase />
        <Listener heard={(text) => heard.push(text)} />
      </VaultProvider>,
    )
    await screen.findByText('empty')
    const { address } = await act(() => vault.create(openedByPasskey()))
    await act(async () => screen.getByText('next').click())
    await act(() => vault.lock())
    expect(heard).toEqual([`2 ${address}`])
    unmount()
    vault.dispatchEvent(new CustomEvent('vault:locked', { detail: { address } }))
    expect(heard).toHaveLength(1)
  })

  it('return the vault itself', () => {
    const vault = vaultWith({ autoInitialize: false })
    const given: KeyVault[] = []
    render(
      <VaultProvider vault={vault}>
        <Give to={(each) => given.push(each)} />
      </VaultProvider>,
    )
    expect(given).toEqual([vault])
  })
})

it('exports this and nothing else', () => {
  expect(Object.keys(api).sort()).toEqual([
    'VaultProvider',
    'useMandates',
    'usePayments',
    'useTokens',
    'useVault',
    'useVaultEvent',
    'useVaultSnapshot',
  ])
})
