import { vi } from 'vitest'

interface FakeFile {
  bytes: Uint8Array
  modified: number
}
type Node = FakeFile | Map<string, Node>

/** Thrown at the step where a tab is killed, and by everything it still tries after that. */
export class Killed extends Error {}

const missing = (name: string) => new DOMException(`${name} is not there.`, 'NotFoundError')
const full = () => new DOMException('The disk is full.', 'QuotaExceededError')

/** A tab's access to the disk. */
interface Tab {
  dead: boolean
}

/**
 * The origin's private file system in memory, with the behaviour that matters: a new file is empty at first, and what
 * is written appears completely when the file is closed, not before. It can be full, fail, or kill the tab at any step.
 */
export class FakeDisk {
  readonly #root = new Map<string, Node>()
  #tab: Tab = { dead: false }
  #clock = 0
  /** Steps the tab has taken since `watch`. */
  steps: string[] = []
  /** Free bytes. */
  space = Number.POSITIVE_INFINITY
  /** Called before each step; if it throws, the step fails with that. */
  before: ((step: string) => void) | undefined

  /** Installs it in the browser for the rest of the test. */
  install(): void {
    vi.stubGlobal('navigator', {
      storage: { getDirectory: async () => this.#directory(this.#root, '', this.#tab) },
    })
  }

  /** Kills the tab before its next step number `at` (from 0), then calls `dying`. */
  killAt(at: number, dying: () => void): void {
    this.steps = []
    this.before = () => {
      if (this.steps.length !== at) return
      this.#tab.dead = true
      dying()
    }
  }

  /** Starts a new tab; a killed one stays dead. */
  reboot(): void {
    this.before = undefined
    this.steps = []
    this.#tab = { dead: false }
  }

  /** The paths of all files, and the size of each in bytes. */
  files(): Map<string, number> {
    const found = new Map<string, number>()
    const visit = (directory: Map<string, Node>, path: string) => {
      for (const [name, node] of directory) {
        if (node instanceof Map) visit(node, `${path}${name}/`)
        else found.set(path + name, node.bytes.length)
      }
    }
    visit(this.#root, '')
    return found
  }

  /** Changes a file directly, as a failing disk would. */
  damage(path: string, change: (bytes: Uint8Array) => Uint8Array): void {
    const { directory, name } = this.#find(path)
    const node = directory.get(name)
    if (!node || node instanceof Map) throw missing(path)
    node.bytes = change(node.bytes.slice())
  }

  delete(path: string): void {
    const { directory, name } = this.#find(path)
    if (!directory.delete(name)) throw missing(path)
  }

  text(path: string): string {
    const { directory, name } = this.#find(path)
    const node = directory.get(name)
    if (!node || node instanceof Map) throw missing(path)
    return new TextDecoder().decode(node.bytes)
  }

  #find(path: string) {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    let directory = this.#root
    for (const part of parts) {
      const next = directory.get(part)
      if (!(next instanceof Map)) throw missing(path)
      directory = next
    }
    return { directory, name }
  }

  #used(): number {
    let used = 0
    for (const size of this.files().values()) used += size
    return used
  }

  async #step(tab: Tab, step: string): Promise<void> {
    // Never in the same turn, as in a browser.
    await Promise.resolve()
    if (!tab.dead) this.before?.(step)
    if (tab.dead) throw new Killed(step)
    this.steps.push(step)
  }

  #directory(entries: Map<string, Node>, path: string, tab: Tab): FileSystemDirectoryHandle {
    const disk = this
    const handle = {
      kind: 'directory',
      name: path.split('/').at(-2) ?? '',
      async getDirectoryHandle(name: string, { create = false } = {}) {
        await disk.#step(tab, `open ${path}${name}/`)
        let node = entries.get(name)
        if (!node && create) {
          node = new Map()
          entries.set(name, node)
        }
        if (!(node instanceof Map)) throw missing(name)
        return disk.#directory(node, `${path}${name}/`, tab)
      },
      async getFileHandle(name: string, { create = false } = {}) {
        await disk.#step(tab, `${create ? 'make' : 'find'} ${path}${name}`)
        if (path !== '' && !disk.#isThere(path)) throw missing(path)
        let node = entries.get(name)
        if (!node && create) {
          node = { bytes: new Uint8Array(), modified: ++disk.#clock }
          entries.set(name, node)
        }
        if (!node || node instanceof Map) throw missing(name)
        return disk.#file(entries, name, path, tab)
      },
      async removeEntry(name: string, { recursive = false } = {}) {
        await disk.#step(tab, `remove ${path}${name}`)
        const node = entries.get(name)
        if (!node) throw missing(name)
        if (node instanceof Map && node.size > 0 && !recursive) {
          throw new DOMException('It is not empty.', 'InvalidModificationError')
        }
        entries.delete(name)
      },
      async *entries() {
        await disk.#step(tab, `list ${path}`)
        for (const [name, node] of [...entries]) {
          yield [
            name,
            node instanceof Map
              ? disk.#directory(node, `${path}${name}/`, tab)
              : disk.#file(entries, name, path, tab),
          ]
        }
      },
    }
    return handle as unknown as FileSystemDirectoryHandle
  }

  #isThere(path: string): boolean {
    try {
      return this.#find(path).name === ''
    } catch {
      return false
    }
  }

  #file(entries: Map<string, Node>, name: string, path: string, tab: Tab): FileSystemFileHandle {
    const disk = this
    const handle = {
      kind: 'file',
      name,
      async getFile() {
        await disk.#step(tab, `read ${path}${name}`)
        const node = entries.get(name)
        if (!node || node instanceof Map) throw missing(name)
        const { bytes, modified } = node
        return Object.assign(new Blob([bytes.slice()]), { lastModified: modified })
      },
      async move(to: string) {
        await disk.#step(tab, `rename ${path}${name}`)
        const node = entries.get(name)
        if (!node) throw missing(name)
        entries.delete(name)
        entries.set(to, node)
      },
      async createWritable() {
        await disk.#step(tab, `begin ${path}${name}`)
        const parts: Uint8Array[] = []
        const size = () => parts.reduce((sum, part) => sum + part.length, 0)
        return {
          async write(data: string | Uint8Array) {
            await disk.#step(tab, `write ${path}${name}`)
            const part = typeof data === 'string' ? new TextEncoder().encode(data) : data
            if (Number.isFinite(disk.space) && disk.#used() + size() + part.length > disk.space) throw full()
            parts.push(part)
          },
          async close() {
            await disk.#step(tab, `close ${path}${name}`)
            if (!entries.has(name)) throw missing(name)
            const bytes = new Uint8Array(size())
            let at = 0
            for (const part of parts) {
              bytes.set(part, at)
              at += part.length
            }
            entries.set(name, { bytes, modified: ++disk.#clock })
          },
          async abort() {
            await disk.#step(tab, `abort ${path}${name}`)
          },
        }
      },
    }
    return handle as unknown as FileSystemFileHandle
  }
}
