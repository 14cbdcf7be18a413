/** Tells a password manager which entry a passphrase belongs to. Neither seen nor reached by keyboard. */
export function UsernameHint({ name }: { name: string | undefined }) {
  return (
    <input type="text" name="username" autoComplete="username" readOnly hidden value={name ?? 'Keyhole'} />
  )
}
