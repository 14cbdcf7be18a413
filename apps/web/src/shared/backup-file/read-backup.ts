import { t } from '@lingui/core/macro'
import { sizeWords } from '../text/too-long.ts'

/** What a file of an older format, which is one text, has at most. Bytes. */
const LARGEST_TEXT = 64 * 1024 * 1024
/** What is read of the beginning of a file, to tell what it is. Bytes. */
const BEGINNING = 4096
/** What is read of its end. */
const END = 64

/** What every backup names its format with. */
const FORMAT = 'keyhole-backup-v'
/** The formats that are one text. */
const ONE_TEXT = /keyhole-backup-v[12]"/

/** What the file of a second copy begins with. */
const COPY = '{"format":"keyhole-copy-v1"'

/** What a backup file can be opened with: a passphrase of its own, or the account's recovery code. */
export type BackupWay = 'passphrase' | 'recovery code'

/** The formats without a passphrase. */
const BY_CODE = /^\{"format":"keyhole-backup-v[67]"/
/** A file that the recovery code opens as well. */
const BY_BOTH = /^\{"format":"keyhole-backup-v\d+",[^{]*"slots":\{"passphrase":.*"recovery_code":\{/

/** What opens a file, by its first letters; what is asked for first comes first. Nothing has checked it yet. */
export function backupWays(start: string): readonly [BackupWay, ...BackupWay[]] {
  if (BY_CODE.test(start)) return ['recovery code']
  return BY_BOTH.test(start) ? ['passphrase', 'recovery code'] : ['passphrase']
}

/** A backup file that was chosen. */
export interface ChosenFile {
  readonly name: string
  readonly file: Blob
  /** How it begins. */
  readonly start: string
  readonly size: number
  /** It is the file of a second copy: what opened the vault opens it. */
  readonly isCopy: boolean
}

/** A chosen file, or why it cannot be a backup. Only its beginning and its end are read. */
export async function readBackup(file: File): Promise<ChosenFile | { problem: string }> {
  const { name } = file
  try {
    const start = await file.slice(0, BEGINNING).text()
    if (start.startsWith(COPY)) return { name, file, start, size: file.size, isCopy: true }
    const isLong = file.size > LARGEST_TEXT && (ONE_TEXT.test(start) || !start.includes(FORMAT))
    if (isLong) {
      const size = sizeWords(file.size)
      return { problem: t`“${name}” is ${size}: too large for a backup of Keyhole. It was not read.` }
    }
    if (!start.includes(FORMAT))
      return {
        problem: t`“${name}” isn’t a Keyhole backup. Backup files end in .keyhole.json. Choose another file.`,
      }
    const end = await file.slice(Math.max(0, file.size - END)).text()
    if (!end.trimEnd().endsWith('}'))
      return { problem: t`“${name}” is cut off: the end of it is missing. Choose another copy of it.` }
    return { name, file, start, size: file.size, isCopy: false }
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
