import type { PasskeyRefusal } from '@keyhole/vault'

/** What a passkey was refused with: what happened, and what to do about it. */
export const PASSKEY_REFUSALS: Readonly<Record<PasskeyRefusal, { title: string; advice: string }>> = {
  PasskeyUnsupported: {
    title: 'This browser has no passkeys here.',
    advice: 'Use a current browser, and open Keyhole over HTTPS. A passphrase works everywhere.',
  },
  PasskeyNoAuthenticator: {
    title: 'No authenticator took part.',
    advice: 'This device has none of its own: plug in a security key, use a phone, or choose a passphrase.',
  },
  PasskeyWithoutPrf: {
    title: 'This authenticator cannot open a vault.',
    advice:
      'It signs in to sites, but it has no PRF, which the vault’s key is made with. Use another authenticator, or a passphrase.',
  },
  PasskeyWithoutResult: {
    title: 'This authenticator gave no key.',
    advice:
      'It says that it has PRF, and answered without a result. Update it and the browser, use another authenticator, or a passphrase.',
  },
  PasskeyCancelled: {
    title: 'The passkey was not used.',
    advice:
      'Its window was closed, it took too long, or this device does not have it. Nothing was changed: try again, or use another method.',
  },
  PasskeyKnown: {
    title: 'This authenticator is one of yours already.',
    advice: 'It has a passkey of this vault. Use another one: a second device, a security key, a phone.',
  },
  PasskeyWrongSite: {
    title: 'The passkey is for another address.',
    advice: 'A passkey works only at the address it was made at. Open Keyhole there, or use another method.',
  },
  PasskeyFailed: {
    title: 'The authenticator failed.',
    advice: 'Nothing was changed. Try again, or use another method.',
  },
}
