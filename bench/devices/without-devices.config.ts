// The client's build in which everything about devices is an empty module.
import { mergeConfig, type Plugin } from 'vite'
import client from '../../apps/web/vite.config.ts'

const OF_DEVICES =
  /features\/devices\/[\w-]+\.tsx?$|providers\/device-sync\.tsx$|refusals\/devices\.ts$|sync\/index\.ts$/

const withoutDevices: Plugin = {
  name: 'without-devices',
  enforce: 'pre',
  load(id) {
    if (!OF_DEVICES.test(id)) return undefined
    const names = ['devicesOf', 'DevicesPanel', 'JoinDevice', 'RecoverAccount', 'DEVICE_REFUSALS']
    return `export default () => null\n${names.map((name) => `export const ${name} = () => null`).join('\n')}`
  },
}

export default mergeConfig(client, { plugins: [withoutDevices] })
