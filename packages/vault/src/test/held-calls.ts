import type { EnclaveExport } from '@keyhole/enclave'
import type { FakeWorld } from './fake-enclave.ts'

/** A world whose enclaves' answers can be held up. */
export class HeldCalls {
  readonly #world: FakeWorld
  #held: { name: string; reached: () => void; released: Promise<void> } | undefined

  constructor(world: FakeWorld) {
    this.#world = world
  }

  readonly createEnclave: FakeWorld['createEnclave'] = async (options) => {
    const enclave = await this.#world.createEnclave(options)
    const call = enclave.callByName.bind(enclave)
    enclave.callByName = async (name: EnclaveExport, input?: unknown) => {
      const answer = await call(name, input)
      if (this.#held?.name === name) {
        const { reached, released } = this.#held
        this.#held = undefined
        reached()
        await released
      }
      return answer
    }
    return enclave
  }

  /** Holds up the next answer of an export. */
  holdUp(name: string): { reached: Promise<void>; release: () => void } {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const reached = new Promise<void>((resolve) => {
      this.#held = { name, reached: resolve, released }
    })
    return { reached, release }
  }
}
