import { msg } from '@lingui/core/macro'
import type { Told } from './by-code.ts'

/** Passkey refusals: what happened, and what to do. */
export const PASSKEY_REFUSALS = {
  PasskeyAnswerUsed: {
    title: msg`The passkey’s answer was used already.`,
    advice: msg`Use the passkey again.`,
  },
  PasskeyUnsupported: {
    title: msg`Passkeys can’t unlock a vault here.`,
    advice: msg`Use a current browser, and open Keyhole over HTTPS. A passphrase works everywhere.`,
  },
  PasskeyNoAuthenticator: {
    title: msg`No authenticator took part.`,
    advice: msg`This device has none: plug in a security key, use a phone, or choose a passphrase.`,
  },
  PasskeyWithoutPrf: {
    title: msg`This device or security key can’t open a vault.`,
    advice: msg`It signs in to sites, but it has no PRF, which the vault’s key is made with. Try another one, or use a passphrase.`,
  },
  PasskeyWithoutResult: {
    title: msg`This device or security key gave no key.`,
    advice: msg`It says that it has PRF, and answered without a result. Update it and the browser, try another one, or use a passphrase.`,
  },
  PasskeyCancelled: {
    title: msg`The passkey was not used.`,
    advice: msg`Its window was closed, it took too long, or this device does not have it. Nothing was changed: try again, or use another method.`,
  },
  PasskeyKnown: {
    title: msg`This device or security key is one of yours already.`,
    advice: msg`It has a passkey of this vault. Use a second device, a security key or a phone.`,
  },
  PasskeyWrongSite: {
    title: msg`The passkey is for another address.`,
    advice: msg`A passkey works only at the address it was made at. Open Keyhole there, or use another method.`,
  },
  PasskeyFailed: {
    title: msg`The authenticator failed.`,
    advice: msg`Nothing was changed. Try again, or use another method.`,
  },
} as const satisfies Readonly<Record<string, Told<unknown>>>
