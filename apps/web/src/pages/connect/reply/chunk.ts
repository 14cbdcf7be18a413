// One script for all of it, with the pasted requests that are answered by it. Each separate script would add a digest to every page.
export { PasteRequest } from '../paste-request.tsx'
export { default as Delivery } from './delivery.tsx'
export { sendAnswer } from './send-answer.ts'
