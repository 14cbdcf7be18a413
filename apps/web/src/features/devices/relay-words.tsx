import { Trans } from '@lingui/react/macro'

/**
 * What a relay sees of a vault that is on several devices, and what not.
 * @param knowsMethods an older version has shown it the vault's unlock methods
 */
export function RelayWords({ knowsMethods = false }: { readonly knowsMethods?: boolean | undefined }) {
  return (
    <>
      <Trans>It sees how many devices write, when, how much and from where.</Trans>{' '}
      {knowsMethods ? (
        <>
          <Trans>It can’t read private keys, names or grants.</Trans>{' '}
          <Trans>
            But an older version showed it the vault’s address, public keys and unlock methods, so it can try
            passphrases.
          </Trans>{' '}
          <Trans>Use a strong passphrase.</Trans>
        </>
      ) : (
        <Trans>It can’t read this vault’s address, keys, names, grants or unlock methods.</Trans>
      )}
    </>
  )
}
