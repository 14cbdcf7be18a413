// Express 4 and 5. Their requests are those of `node:http`.
export { callOf, type GuardOptions, guard, revocations } from './node.ts'
