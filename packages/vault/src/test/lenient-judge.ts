import { vi } from 'vitest'

// The dictionaries take seconds to load when many tests run at once. The judge's own tests undo this.
vi.mock(import('../unlock/passphrase-judge.ts'), () => ({ judgePassphrase: async () => ({ score: 4 }) }))
