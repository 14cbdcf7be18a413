// A disk that forgets what was not synced when the power fails: a file with ext4 in it. Needs root on Linux, loop devices and Perl.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Size of a disk, in bytes. Its file only takes what is written. */
const SIZE = 2 * 1_024 ** 3
/** `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`: from then on, nothing reaches the disk. */
const CUT =
  'open(my $d, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($d, 0x8004587D, $how) or die $!'

export interface ForgetfulDisk {
  /** Where it is mounted. */
  readonly path: string
  /** Cuts the power. What uses the disk gets errors, until it is killed and {@link restore} was called. */
  cut(): Promise<void>
  /** Mounts the disk again, with what was synced. No process may have files of it open. */
  restore(): Promise<void>
  end(): Promise<void>
}

/** Makes a disk. @param file which file it is, @param path where it is mounted */
export async function forgetfulDisk(file: string, path: string): Promise<ForgetfulDisk> {
  writeFileSync(file, '')
  await run('truncate', ['-s', String(SIZE), file])
  await run('mkfs.ext4', ['-q', '-F', '-m', '0', file])
  mkdirSync(path, { recursive: true })
  const mount = () => run('mount', ['-o', 'loop', file, path])
  await mount()
  return {
    path,
    async cut() {
      await run('perl', ['-e', CUT, path])
    },
    async restore() {
      await run('umount', [path])
      await mount()
    },
    async end() {
      await run('umount', [path])
      rmSync(file)
    },
  }
}

/** Whether this machine can have such a disk. */
export function hasForgetfulDisks(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-disk-'))
  const [file, path] = [join(folder, 'file'), join(folder, 'disk')]
  const to = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' })
  try {
    to('truncate', '-s', '64M', file)
    to('mkfs.ext4', '-q', '-F', file)
    mkdirSync(path)
    to('mount', '-o', 'loop', file, path)
    try {
      to('perl', '-e', CUT, path)
      return true
    } finally {
      to('umount', path)
    }
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
