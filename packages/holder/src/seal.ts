// Sealing to someone's X25519 key, and opening (docs/requests.md, "The seal").

export { sealTo } from './replies/seal-to.ts'
export { makeSealKey, openSealed, type SealKey } from './replies/sealed-answer.ts'
