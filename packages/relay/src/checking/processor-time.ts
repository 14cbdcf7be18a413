// How much processor time a check used.
import process from 'node:process'

/** This process. `threadCpuUsage` is there since Node 23.9. */
const node: NodeJS.Process & { threadCpuUsage?(): NodeJS.CpuUsage } = process

const inMilliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000

/** Processor time of this process so far, in milliseconds. */
export function processTime(): number {
  return inMilliseconds(node.cpuUsage())
}

/**
 * Processor time of all threads of this process but the caller's, in milliseconds. Node before 23.9 can't tell them
 * apart: there it is {@link processTime}.
 */
export function timeOfOtherThreads(): number {
  // Read in this order, so that what this thread does in between isn't added.
  const all = processTime()
  return node.threadCpuUsage ? all - inMilliseconds(node.threadCpuUsage()) : all
}
