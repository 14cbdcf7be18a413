// One script for all of it: people read the request before they need this.

export { KeyChoice } from '../../../shared/vault/key-choice.tsx'
export { ChangeRequest } from './change-request.tsx'
