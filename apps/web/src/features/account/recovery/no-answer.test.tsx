import { screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openVault } from '../../../test/open-vault.tsx'
import RecoveryScreen from './recovery-screen.tsx'

const { vault, show } = openVault()

test.each(['whole', 'none'] as const)(
  'a vault whose database does not answer is not called missing, and nothing is written over it or deleted: %s',
  async (mirror) => {
    const address = vault().getSnapshot().address ?? ''
    const lost = [{ address, mirror, noAnswer: true as const }]
    const seen = vi.spyOn(vault(), 'getSnapshot').mockReturnValue({ ...vault().getSnapshot(), lost })
    onTestFinished(() => seen.mockRestore())
    show(<RecoveryScreen />)
    expect(await screen.findByRole('heading', { level: 1, name: 'Your vault doesn’t answer' })).toBeDefined()
    const buttons = (await screen.findAllByRole('button')).map(({ textContent }) => textContent)
    expect(buttons).toContain('Look again')
    for (const name of ['Restore it from the copy', 'Restore from a backup', 'Forget vault'])
      expect(buttons).not.toContain(name)
    expect(screen.queryByText('Restore from a backup file')).toBeNull()
  },
)
