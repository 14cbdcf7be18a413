/** Where `localStorage` remembers that an account needs the plugin with devices: this and its address. */
export const DEVICES_KEY = 'keyhole:devices:'
