import { refusalWords } from './explain-refusal.ts'

// For tests, so that refusals have their own words from the start.
await refusalWords
