import { afterEach, expect, test, vi } from 'vitest'
import { quietPlace } from './geometry.ts'

afterEach(() => vi.unstubAllGlobals())

/** A canvas whose context takes every call, and returns something that does. */
class FakeCanvas {
  width = 0
  height = 0
  getContext(): unknown {
    const made = { addColorStop: () => undefined, data: new Uint8ClampedArray(4) }
    return new Proxy({ canvas: this } as object, {
      get: (target, name) => Reflect.get(target, name) ?? (() => made),
    })
  }
}

test('a scene is said to be drawn once the browser has taken it, not while the canvases still show another', async () => {
  const frames: (() => void)[] = []
  const said = vi.fn()
  let tell = (_: object): void => expect.fail('It listens to no one.')
  vi.stubGlobal('OffscreenCanvas', FakeCanvas)
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  vi.stubGlobal('postMessage', said)
  vi.stubGlobal('addEventListener', (_: string, listener: (event: object) => void) => {
    tell = (data) => listener({ data })
  })
  await import('./painter-worker.ts')
  tell({ ground: new FakeCanvas(), moving: new FakeCanvas() })
  const place = quietPlace({ width: 60, height: 40 }, { x: 30, y: 0, r: 16 })
  tell({ mark: 1, kind: 'quiet', theme: 'light', place })
  // Its frame has begun, and ends after this.
  frames.shift()?.()
  expect(said).not.toHaveBeenCalled()
  frames.shift()?.()
  expect(said).toHaveBeenCalledExactlyOnceWith(1)
})
