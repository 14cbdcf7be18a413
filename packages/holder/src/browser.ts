// Stores for pages.
export { indexedDbStore } from './stores/indexed-db-store.ts'
