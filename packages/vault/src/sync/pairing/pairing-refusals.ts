import { VaultError } from '../../base/errors.ts'

/** Why a pairing didn't come about. */
const REFUSALS = {
  // The enclave says the same of a code that it can't read.
  PairingCode: 'This isn’t the code that the new device shows.',
  PairingNotFound: 'No device waits with this code: it has expired, or was typed wrong.',
  PairingCodeUsed: 'This code was used already.',
  PairingExpired: 'The other device didn’t answer in time.',
  PairingOff: 'No device is being added now.',
  PairingOtherKind: 'The new device waits to be added as the other kind: full or limited.',
  PairingOtherRelay: 'The new device waits at another relay than that of this account.',
}
export type PairingRefusal = keyof typeof REFUSALS

/** @param args the values in its sentence for a person: `relay`, the relay that both devices have to use */
export function pairingRefused(name: PairingRefusal, args?: { readonly relay: string }): VaultError {
  return new VaultError('OPERATION_FAILED', REFUSALS[name], { name, ...(args && { args }) })
}
