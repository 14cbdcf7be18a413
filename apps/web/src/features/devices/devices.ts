// One script for everything about devices: each script of its own costs its digest in every page's import map.
export { devicesOf } from '@keyhole/vault/devices'
export { default as DevicesPanel } from './devices-panel.tsx'
export { default as JoinDevice } from './join-device.tsx'
export { default as RecoverAccount } from './recover-account.tsx'
