// One script for all of it. Each separate script would add a digest to every page.
export { default as Delivery } from './delivery.tsx'
export { sendAnswer } from './send-answer.ts'
