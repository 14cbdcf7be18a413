import { vi } from 'vitest'

// The dictionaries take seconds to load where many tests run at once. The judge itself has tests of its own, which undo this.
vi.mock(import('../unlock/passphrase-judge.ts'), () => ({ judgePassphrase: async () => ({ score: 4 }) }))
