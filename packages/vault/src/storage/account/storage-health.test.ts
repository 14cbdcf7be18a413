import { beforeEach, expect, it } from 'vitest'
import { freshBrowser } from '../../test/browser.ts'
import { FakeDisk } from '../../test/opfs.ts'
import { readStorageHealth } from './storage-health.ts'

beforeEach(() => freshBrowser())

it('says without an open account whether a second copy can be kept at all', async () => {
  expect(await readStorageHealth(undefined)).toMatchObject({ mirror: 'unavailable', why: 'unsupported' })
  new FakeDisk().install()
  expect(await readStorageHealth(undefined)).toMatchObject({ mirror: 'unavailable', why: 'closed' })
})
