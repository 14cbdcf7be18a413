import type { MetadataRecord } from '../storage/schema.ts'

/** Where reports are stored: the account's metadata. */
export interface Rows {
  read(key: string): Promise<MetadataRecord | undefined>
  readUnder(prefix: string): Promise<readonly MetadataRecord[]>
  write(records: readonly MetadataRecord[]): Promise<void>
}
