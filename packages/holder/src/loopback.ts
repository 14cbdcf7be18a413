export { type LoopbackOptions, loopback } from './replies/loopback.ts'
