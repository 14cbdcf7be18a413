import { useLingui } from '@lingui/react/macro'

/** What happens when something goes missing: the device, the browser's memory, a passphrase, a token. */
export function WhenLost() {
  const { t } = useLingui()
  const cases: readonly (readonly [what: string, then: string])[] = [
    [
      t`The device`,
      t`What is on its disk is sealed. Your backup file brings everything back elsewhere, by its passphrase or your recovery code.`,
    ],
    [
      t`The browser’s database`,
      t`It can come back empty without an error. Keyhole notices, and restores the vault from a second copy kept beside it.`,
    ],
    [
      t`The passphrase`,
      t`A passkey or the recovery code still opens the vault. Without any of them nobody can, and nobody can be made to.`,
    ],
    [
      t`A token`,
      t`Its text alone is of no use: only the key it is made out to can use it. It ends by itself, and you can revoke it before.`,
    ],
  ]
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      {cases.map(([what, then]) => (
        <div key={what} className="rounded-card border border-line bg-surface p-5 shadow-card">
          <dt className="font-semibold">{what}</dt>
          <dd className="mt-1 text-ink-soft text-sm">{then}</dd>
        </div>
      ))}
    </dl>
  )
}
