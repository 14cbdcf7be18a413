import { sizeWords } from '../../components/too-long.ts'

/** Backups hold every token with its chain: far longer than one token, far shorter than this. Bytes. */
const LARGEST_BACKUP = 64 * 1024 * 1024

/** A backup file that was chosen. */
export interface ChosenFile {
  readonly name: string
  readonly text: string
}

/** A chosen file's text, or why it was not read. */
export async function readBackup(file: File): Promise<ChosenFile | { problem: string }> {
  if (file.size > LARGEST_BACKUP) {
    const size = sizeWords(file.size)
    return { problem: `“${file.name}” has ${size}: too much for a backup of Keyhole. It was not read.` }
  }
  try {
    return { name: file.name, text: await file.text() }
  } catch {
    return { problem: `“${file.name}” could not be read. Is it still there?` }
  }
}
