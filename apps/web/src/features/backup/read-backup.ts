import { t } from '@lingui/core/macro'
import { sizeWords } from '../../components/too-long.ts'

/** Backups hold every token with its chain: far longer than one token, far shorter than this. Bytes. */
const LARGEST_BACKUP = 64 * 1024 * 1024

/** What every backup names its format with. */
const FORMAT = 'keyhole-backup-v'

/** A backup file that was chosen. */
export interface ChosenFile {
  readonly name: string
  readonly text: string
  readonly size: number
}

/** A chosen file's text, or why it was not read. */
export async function readBackup(file: File): Promise<ChosenFile | { problem: string }> {
  const { name } = file
  if (file.size > LARGEST_BACKUP) {
    const size = sizeWords(file.size)
    return { problem: t`“${name}” has ${size}: too much for a backup of Keyhole. It was not read.` }
  }
  try {
    const text = await file.text()
    if (!text.includes(FORMAT))
      return {
        problem: t`“${name}” is no backup of Keyhole: its name ends in .keyhole.json. Choose another.`,
      }
    if (!text.trimEnd().endsWith('}'))
      return { problem: t`“${name}” is cut off: the end of it is missing. Choose another copy of it.` }
    return { name, text, size: file.size }
  } catch {
    return { problem: t`“${name}” could not be read. Is it still there?` }
  }
}

/** What a backup says of itself in the clear. Nothing has checked it yet: it is for the eye alone. */
export interface BackupLabel {
  readonly address: string
  /** Milliseconds since 1970. */
  readonly writtenAt: number
}

const HEAD =
  /^\{"format":"keyhole-backup-v\d+","address":"(kh1[02-9ac-hj-np-z]{38})","chain_id":"[^"]*","created_at":(\d{1,12}),/

/** Reads the label off a backup's first letters, without reading all of it; undefined where there is none. */
export function backupLabel(text: string): BackupLabel | undefined {
  const [, address, seconds] = HEAD.exec(text.slice(0, 400)) ?? []
  return address === undefined ? undefined : { address, writtenAt: Number(seconds) * 1000 }
}
