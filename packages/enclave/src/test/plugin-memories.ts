// What is in the memory of plugins, for tests that search it.
import { vi } from 'vitest'
import { Plugin } from '../plugin/plugin.ts'

/** By a call's name, the memories of the plugins that have answered to it from now on. */
export function pluginMemories(): (name: string) => Promise<Buffer[]> {
  const plugins = new Map<string, Set<Plugin>>()
  const { call } = Plugin.prototype
  vi.spyOn(Plugin.prototype, 'call').mockImplementation(function (this: Plugin, name, ...given) {
    plugins.set(name, (plugins.get(name) ?? new Set()).add(this))
    return call.call(this, name, ...given)
  })
  return async (name) => {
    const found = await Promise.all([...(plugins.get(name) ?? [])].map((plugin) => plugin.memory()))
    return found.flatMap((memory) => (memory ? [Buffer.from(memory.buffer)] : []))
  }
}
