import { useTokens, useVault, useVaultSnapshot, VaultProvider } from '@keyhole/vault-react'

function Grants() {
  const vault = useVault()
  const { phase, label } = useVaultSnapshot()
  const { tokens } = useTokens()
  if (phase !== 'unlocked') return <p>The vault is {phase}.</p>
  return (
    <>
      <h1>{label}</h1>
      <ul>
        {tokens.map(({ id, command, audience }) => (
          <li key={id}>
            {command} for {audience}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => vault.lock()}>
        Lock
      </button>
    </>
  )
}

export function App() {
  return (
    <VaultProvider config={{ chainId: 'keyhole-1' }}>
      <Grants />
    </VaultProvider>
  )
}
