import type { DeviceRefusalName } from '@keyhole/enclave'
import type { DeviceRefusal, PairingRefusal } from '@keyhole/vault/devices'
import { msg } from '@lingui/core/macro'
import { FAULT, type Told } from './by-code.ts'

const NOTHING_CHANGED = msg`Nothing was changed. Try again.`
const NEW_CODE = msg`Start again on the new device: it shows another code.`
const OVER: Told<unknown> = { title: msg`Adding the device was stopped.`, advice: NEW_CODE }
/** What another device of the account wrote, or what the relay made of it. */
const DAMAGED: Told<unknown> = {
  title: msg`What another device wrote can’t be read.`,
  advice: msg`Nothing was changed. The relay may have damaged it.`,
}
const REMOVED: Told<unknown> = {
  title: msg`This device isn’t one of the vault’s devices.`,
  advice: msg`Another device may have removed it. What is here stays here.`,
}
const AGAIN: Told<unknown> = {
  title: msg`Your devices aren’t in sync yet.`,
  advice: msg`Wait a moment, then try again. Nothing was changed.`,
}

/** Refusals that are about an account's devices, in words. */
export const DEVICE_REFUSALS: {
  readonly [Name in DeviceRefusalName | DeviceRefusal | PairingRefusal]: Told<{ relay: string }>
} = {
  // What a person can do something about.
  DevicesInOtherTab: {
    title: msg`Another tab syncs your devices.`,
    advice: msg`Do this in that tab, or close it and try again.`,
  },
  DevicesNotReady: {
    title: msg`Your devices aren’t ready yet.`,
    advice: msg`Wait a moment and try again. If this keeps happening, lock the vault and unlock it.`,
  },
  DeviceLimited: {
    title: msg`This vault is a limited device of another one.`,
    advice: msg`Open Settings, Devices to stop that. Then try again.`,
  },
  DeviceNotLimited: {
    title: msg`This vault isn’t a limited device.`,
    advice: msg`Nothing was changed. Another tab may have done this already.`,
  },
  DevicesOff: {
    title: msg`This vault is on one device only.`,
    advice: msg`Open Settings, Devices to use it on several.`,
  },
  DevicesOn: {
    title: msg`This vault is on several devices already.`,
    advice: msg`Open Settings, Devices to see them.`,
  },
  RelayAddressInvalid: {
    title: msg`This isn’t the address of a relay.`,
    advice: msg`It begins with https://. Copy all of it and try again.`,
  },
  RelayUnreachable: {
    title: msg`The relay can’t be reached.`,
    advice: msg`Check the connection, then try again. Nothing was changed.`,
  },
  RelayBusy: {
    title: msg`The relay is busy.`,
    advice: msg`Wait a minute, then try again. Nothing was changed.`,
  },
  RelayFull: {
    title: msg`The relay has no space left for this vault.`,
    advice: msg`Nothing was changed. Ask the person who runs the relay.`,
  },
  RelayRefuses: {
    title: msg`The relay doesn’t accept this device.`,
    advice: msg`Another device may have removed it. What is here stays here.`,
  },
  RelayClock: {
    title: msg`This device’s clock and the relay’s differ.`,
    advice: msg`Set this device’s clock, then try again. Nothing was changed.`,
  },
  RelayConflict: {
    title: msg`Another device changed your devices at the same time.`,
    advice: NOTHING_CHANGED,
  },
  RelayWithoutDevices: {
    title: msg`The server of this site keeps nothing for devices.`,
    advice: msg`Nothing was changed. The person who runs it can turn that on. A backup file moves a vault without it.`,
  },
  ChangeUnsure: {
    title: msg`It isn’t known yet whether this was changed.`,
    advice: msg`The relay didn’t answer in time. Look again once your devices are in step. Keep a passkey you made, but create another recovery code.`,
  },
  RelayNonsense: {
    title: msg`The relay doesn’t answer as it should.`,
    advice: msg`Nothing was changed. Try again later, or ask the person who runs it.`,
  },
  PairingCode: {
    title: msg`This isn’t the code of a new device.`,
    advice: msg`Scan it again, or copy all of it. Check what you typed.`,
  },
  PairingNotFound: {
    title: msg`No device is waiting with this code.`,
    advice: msg`It may be older than ten minutes, or used already. Start again on the new device: it shows another code.`,
  },
  PairingCodeUsed: {
    title: msg`This code was used already.`,
    advice: msg`If that wasn’t you, someone else has seen it. Start again on the new device: it shows another code.`,
  },
  PairingExpired: {
    title: msg`The other device didn’t answer in time.`,
    advice: NEW_CODE,
  },
  PairingOtherKind: {
    title: msg`The new device is waiting to be added as the other kind.`,
    advice: msg`Nothing was changed. Start again on the new device, and choose the same kind on both.`,
  },
  PairingOtherRelay: {
    title: msg`The new device was opened on another site.`,
    advice: ({ relay }) => msg`Open the site there that your vault uses. Its relay is ${relay}.`,
  },
  PairingRefused: {
    title: msg`The other device’s message isn’t genuine.`,
    advice: msg`Someone may have interfered. Nothing was changed. Start again on the new device: it shows another code.`,
  },
  PairingOff: OVER,
  PairingOutOfStep: OVER,
  RecoveryNotFound: {
    title: msg`The relay has nothing for this recovery code.`,
    advice: msg`Compare the code with your copy. If you created it before you used the vault on several devices, you need a backup file too.`,
  },
  RecoveryCodeReplaced: {
    title: msg`This recovery code was replaced or removed.`,
    advice: msg`Nothing was changed. Look for the code that was created after it.`,
  },
  HeadsDiffer: AGAIN,
  OtherDeviceMustJoin: AGAIN,
  NotMember: REMOVED,
  NoPermission: REMOVED,
  DeviceUnknown: {
    title: msg`This device was removed already.`,
    advice: msg`Your list of devices will show it in a moment.`,
  },
  DeviceKnown: {
    title: msg`This device was added already.`,
    advice: msg`Your list of devices will show it in a moment.`,
  },
  TooMany: {
    title: msg`A vault can’t have more devices than this.`,
    advice: msg`Remove one that you no longer use.`,
  },
  Limited: REMOVED,
  NotAllowed: REMOVED,
  // What only a fault, or a relay, can cause.
  DevicesNotLoaded: FAULT,
  NoDevice: AGAIN,
  SharedDamaged: DAMAGED,
  RecordMalformed: DAMAGED,
  RecordSignature: DAMAGED,
  OtherAccount: DAMAGED,
  TooManyWaiting: DAMAGED,
  NoEpochKey: DAMAGED,
}
