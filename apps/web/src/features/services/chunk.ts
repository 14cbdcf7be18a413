// One script for all of it: what a service offers is seldom looked at, so no page loads it first.
export { forgetOffers } from './forget-offers.ts'
export { Introduction } from './introduction.tsx'
export { ServiceGrantForm } from './service-grant-form.tsx'
export { ServiceOffers } from './service-offers.tsx'
export { ServiceTemplates } from './service-templates.tsx'
export { ToolLimits } from './tool-limits.tsx'
