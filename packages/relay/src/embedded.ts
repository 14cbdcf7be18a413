export { embeddedStore } from './stores/embedded-store.ts'
