// One script for all of it: people read the request before they need this.

export { SignedWith } from '../../../shared/grant-form/signed-with.tsx'
export { ChangeRequest } from './change-request.tsx'
