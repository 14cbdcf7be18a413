import { useLingui } from '@lingui/react/macro'

/** What happens when something goes missing: the device, the browser's storage, a passphrase, a token. */
export function WhenLost() {
  const { t } = useLingui()
  const cases: readonly (readonly [what: string, then: string])[] = [
    [
      t`Your device`,
      t`Your keys are encrypted on its disk. With the backup’s passphrase or your recovery code, your backup file brings it all back on a new one.`,
    ],
    [
      t`The browser’s storage`,
      t`Keyhole notices, and tries a second copy if the browser keeps one. Only a backup protects you for certain.`,
    ],
    [
      t`Your passphrase`,
      t`A passkey or the recovery code still unlocks the vault. If you have neither, no one can open it, not even Keyhole.`,
    ],
    [
      t`A token`,
      t`The text alone is useless: only the key it was made for can use it. You can revoke it at any time, and it expires on the date you set.`,
    ],
  ]
  return (
    <dl className="grid gap-x-12 sm:grid-cols-2">
      {cases.map(([what, then]) => (
        <div key={what} className="border-line border-t py-5">
          <dt className="font-semibold">{what}</dt>
          <dd className="mt-1 text-ink-soft">{then}</dd>
        </div>
      ))}
    </dl>
  )
}
