import { refusalWords } from './refusal.ts'

// For tests: what is refused is told by its name from the beginning.
await refusalWords
