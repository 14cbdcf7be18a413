export { requestTo, type WrittenRequest } from './asking/request-to.ts'
