import { useEffect } from 'react'
import { markOpen } from '../../shared/vault/open-mark.ts'

/** Marks the vault as open while it is drawn. Renders nothing. */
export default function OpenMark() {
  useEffect(markOpen, [])
  return null
}
