import type { Page } from '@playwright/test'

/** A message between the page and a worker or another tab, as text. */
export interface Message {
  direction: 'out' | 'in'
  text: string
}

/** Records every message that the page sends or reads. Runs before the page's own scripts. */
export function recordMessages(): void {
  const messages: Message[] = []
  Reflect.set(globalThis, 'keyholeMessages', messages)

  const asText = (value: unknown, seen = new Set<unknown>()): string => {
    if (value instanceof ArrayBuffer) return asText(new Uint8Array(value))
    if (ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      // The engine is public and several megabytes long.
      if (bytes.length > 200_000) return `[${bytes.length} bytes]`
      return `[${bytes.join(',')}] ${new TextDecoder('latin1').decode(bytes)}`
    }
    if (typeof value !== 'object' || value === null) return String(value)
    if (seen.has(value)) return ''
    seen.add(value)
    const entries = value instanceof Map ? [...value] : Object.entries(value)
    return entries.map(([key, item]) => `${asText(key, seen)}: ${asText(item, seen)}`).join('\n')
  }
  for (const kind of [Worker, MessagePort, BroadcastChannel]) {
    const send = kind.prototype.postMessage
    Reflect.set(kind.prototype, 'postMessage', function (this: object, ...parts: unknown[]) {
      messages.push({ direction: 'out', text: asText(parts[0]) })
      return Reflect.apply(send, this, parts)
    })
  }
  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')
  Object.defineProperty(MessageEvent.prototype, 'data', {
    ...data,
    get(this: MessageEvent) {
      const value: unknown = data?.get?.call(this)
      messages.push({ direction: 'in', text: asText(value) })
      return value
    },
  })
}

/** The messages recorded so far. */
export async function messagesOf(page: Page): Promise<Message[]> {
  return await page.evaluate(() => {
    const found: unknown = Reflect.get(globalThis, 'keyholeMessages')
    return Array.isArray(found) ? found.map(({ direction, text }) => ({ direction, text })) : []
  })
}

/** Everything that a page stores or shows, place by place, as text. */
export async function dumpEverything(page: Page): Promise<Record<string, string>> {
  return await page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const flat = (value: unknown): unknown => {
      if (value instanceof ArrayBuffer) return flat(new Uint8Array(value))
      if (ArrayBuffer.isView(value))
        return Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      if (Array.isArray(value)) return value.map(flat)
      if (typeof value === 'bigint') return value.toString()
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, flat(item)]))
    }
    const databases: string[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name ?? ''))
      for (const store of database.objectStoreNames) {
        const records = await settled(database.transaction(store).objectStore(store).getAll())
        databases.push(`${name}/${store}: ${JSON.stringify(flat(records))}`)
      }
      database.close()
    }
    const files: string[] = []
    const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle instanceof FileSystemDirectoryHandle) await walk(handle, `${path}/${name}`)
        else if (handle instanceof FileSystemFileHandle) {
          const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer())
          files.push(`${path}/${name}: ${new TextDecoder('latin1').decode(bytes)}`)
        }
      }
    }
    await walk(await navigator.storage.getDirectory(), '')
    const cached: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        const text = new TextDecoder('latin1').decode(await response?.arrayBuffer())
        cached.push(`${name} ${request.url}: ${text}`)
      }
    }
    const inputs = [...document.querySelectorAll('input, textarea')].map((input) =>
      String(Reflect.get(input, 'value')),
    )
    return {
      IndexedDB: databases.join('\n'),
      localStorage: JSON.stringify({ ...localStorage }),
      sessionStorage: JSON.stringify({ ...sessionStorage }),
      OPFS: files.join('\n'),
      CacheStorage: cached.join('\n'),
      DOM: document.documentElement.outerHTML,
      'fields of forms': inputs.join('\n'),
      history: `${location.href} ${JSON.stringify(flat(history.state))} ${document.title} ${name}`,
    }
  })
}

/** Bytes in every form they could appear in: as they are, in hex, in base64, and as a list of numbers. */
export function disguises(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes)
  // Within longer base64, bytes have three possible forms. Their inner letters don't depend on the neighbours.
  const inner = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), buffer])
      .toString('base64')
      .replace(/=+$/, '')
    return shifted.slice(4, -4)
  })
  return [
    buffer.toString('latin1'),
    buffer.toString('utf8'),
    buffer.toString('hex'),
    buffer.toString('hex').toUpperCase(),
    ...inner,
    ...inner.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    [...buffer].join(','),
    [...buffer].join(', '),
  ]
}

/** Every place that contains a secret in any form. */
export function findSecret(places: Record<string, string>, secret: Uint8Array): string[] {
  const shapes = disguises(secret)
  return Object.entries(places)
    .filter(([, text]) => shapes.some((shape) => text.includes(shape)))
    .map(([place]) => place)
}
