// Bundles the command before its tests, as it is packed.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export function setup(): void {
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  execFileSync(process.execPath, ['scripts/cli-build.mjs'], { cwd: root, stdio: 'inherit' })
}
