export { type NatsStoreOptions, natsStore } from './stores/nats-store.ts'
