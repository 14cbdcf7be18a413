export { makeLinkSecret } from './notice.ts'
export { fetchOpened, type OpenedGrant, sayOpened } from './opened.ts'
