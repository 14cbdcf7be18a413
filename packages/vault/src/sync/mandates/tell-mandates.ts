// Mandates of this account, for its other devices.
import { callPlugin } from '../../enclave/plugin.ts'
import type { MetadataRecord } from '../../storage/schema.ts'
import {
  isTold,
  keptRecord,
  madeRecord,
  readKept,
  readMade,
  readSelf,
  type Self,
  selfRecord,
  termsOf,
  useOf,
  useRecord,
} from '../../tokens/keepers/kept-mandates.ts'
import type { LinesParts } from '../lines/outgoing-lines.ts'

type Parts = LinesParts

/**
 * Tells the others of the mandates that this device counts. Called once everything was read: one that another device
 * counts is left alone.
 * @param device this one
 * @throws VaultError
 */
export async function tellMandates(parts: Parts, device: string): Promise<void> {
  const { storage, now } = parts
  const mandates = await listMandates(parts)
  if (mandates.length === 0) return
  const [known, made] = [await readKept(parts), await readMade(storage)]
  const metadata: MetadataRecord[] = []
  for (const mandate of mandates) {
    const { cid, digits } = mandate
    const before = known.get(cid)
    if (before ? before.keeper !== device : !made.has(cid)) continue
    if (!before)
      metadata.push(await keptRecord(parts, { keeper: device, digits, terms: termsOf(mandate) }, now()))
    const use = useOf(mandate)
    if (!isTold(before?.use, use)) metadata.push(await useRecord(parts, cid, use, now()))
  }
  // These are marked, like every other change.
  if (metadata.length > 0) await storage.writeBatch({ metadata }, 'telling of mandates')
}

/** Notes which of the account's devices this one is, or was. @throws VaultError */
export async function noteSelf({ storage, now }: Parts, self: Self): Promise<void> {
  const before = await readSelf(storage)
  if (before?.device === self.device && before.isRemoved === self.isRemoved) return
  await storage.exchange({}, () => ({ metadata: [selfRecord(storage.address, self, now())] }))
}

/** Notes that no other device counts the mandates that are here: the account had no devices before. @throws VaultError */
export async function noteOwnMandates(parts: Parts): Promise<void> {
  const { storage, now } = parts
  const mandates = await listMandates(parts)
  const metadata = mandates.map(({ cid }) => madeRecord(storage.address, cid, now()))
  if (metadata.length > 0) await storage.exchange({}, () => ({ metadata }))
}

async function listMandates({ enclave }: Pick<Parts, 'enclave'>) {
  return (await callPlugin(enclave, 'list_mandates', {}, 'Failed to list the mandates')).mandates
}
