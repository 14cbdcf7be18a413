export { type PageParts, redirect, resume } from './replies/redirect.ts'
