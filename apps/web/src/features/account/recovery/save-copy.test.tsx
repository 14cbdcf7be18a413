import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openVault } from '../../../test/open-vault.tsx'
import { SaveCopy } from './save-copy.tsx'

const { vault, show } = openVault()

test('a saved copy is not said to have arrived, since a download can be cancelled', async () => {
  const saved = { filename: 'keyhole-kh1q-2026-11-29.keyhole.json', file: new Blob(['{}']), unreadable: 0 }
  vi.spyOn(vault().accounts, 'saveCopy').mockResolvedValue(saved)
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:nothing')
  show(<SaveCopy address="kh1q" />)
  fireEvent.click(screen.getByRole('button', { name: 'Save the copy as a file' }))
  const { parentElement: said } = await screen.findByText(saved.filename)
  expect(said?.textContent).toMatch(/^Look for keyhole-kh1q-2026-11-29\.keyhole\.json in your downloads\. /)
})
