export { requestTo, type WrittenRequest } from './asking/request-to.ts'
export { grantsIn } from './token/grants-in.ts'
