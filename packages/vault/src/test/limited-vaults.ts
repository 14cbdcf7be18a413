// A vault that is a limited device of another one, each in a browser of its own.
import { expect } from 'vitest'
import { openedByPasskey, passkeyProof } from './opening.ts'
import { Device, isInStep, RELAY } from './paired-vaults.ts'

/** What opens the kiosk's own account. */
export const kioskProof = () => passkeyProof(9)

/** An account on devices, and a browser whose own account is to be limited. @param key of the account on devices */
export async function laptopAndKiosk(key?: { readonly text: string }): Promise<[Device, Device]> {
  const [laptop, kiosk] = [await new Device().start(), await new Device().start()]
  await laptop.within(() =>
    laptop.vault.create({ ...openedByPasskey({ label: 'Ada' }), ...(key && { key }) }),
  )
  await laptop.devices.start({ relay: RELAY, proof: passkeyProof(), name: 'Laptop' })
  const did = laptop.vault.getSnapshot().issuerDid ?? ''
  await laptop.within(() =>
    laptop.vault.tokens.grant({ audience_did: did, command: '/msg/send', label: 'Holiday mails' }),
  )
  await laptop.until(isInStep)
  await kiosk.within(() => kiosk.vault.create(openedByPasskey({ label: 'Kiosk' }, 9)))
  return [laptop, kiosk]
}

/** Up to the digits, which both show. @returns what the limited device shows as a QR code */
export async function pairedAsLimited(laptop: Device, kiosk: Device, isTyped = false): Promise<string> {
  const { text, code } = await kiosk.devices.beginLimited({ relay: RELAY, proof: kioskProof() })
  const [there, here] = await Promise.all([
    laptop.devices.readPairingCode(isTyped ? code : text),
    kiosk.devices.joiningDigits(),
  ])
  expect(here).toBe(there)
  return text
}

/** Until the account lists the limited device, and that one has read it. */
export async function joinedAsLimited(laptop: Device, kiosk: Device): Promise<void> {
  await pairedAsLimited(laptop, kiosk)
  const add = { proof: passkeyProof(), name: 'Kiosk', role: 'limited' } as const
  await Promise.all([kiosk.devices.joinLimited(), laptop.devices.add(add)])
  await laptop.until((state) => isInStep(state) && state.devices.some(({ isLimited }) => isLimited))
  await kiosk.until(({ limited }) => limited?.lastRead !== undefined)
}

/** The account removes its limited device, which hears of it if the relay is there. */
export async function removeLimited(laptop: Device): Promise<void> {
  const { devices } = await laptop.devices.state()
  const device = devices.find(({ isLimited }) => isLimited)?.id ?? ''
  await laptop.devices.remove({ device, proof: passkeyProof() })
}
