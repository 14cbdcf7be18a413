import type { EnclaveOptions } from '@keyhole/enclave'
import { type Bench, makeBench } from './bench.ts'
import { MEASURES, type Measure } from './measures.ts'
import { median } from './rate.ts'

/** What came of a measure: the middle of its samples. */
export interface Figure {
  readonly measure: Measure
  readonly ours: number
  /** The browser's own, where it has it. */
  readonly native?: number | undefined
}

/** How far a run has come. */
export interface Stage {
  /** From 0 to 1. */
  readonly done: number
  /** What is at work; undefined while things are made ready. */
  readonly measure?: Measure
}

/** Samples of each, taken in turn with the browser's own, so that both meet the same machine. */
const SAMPLES = 3
/** The part of the bar that making ready takes. */
const READY = 0.2

/**
 * Measures everything, in workers of its own.
 * @throws the signal's reason, where it is stopped
 */
export async function runBenchmark(
  options: EnclaveOptions,
  signal: AbortSignal,
  onStage: (stage: Stage) => void,
): Promise<readonly Figure[]> {
  const bench = await makeBench(options, signal, (done) => onStage({ done: done * READY }))
  // Whoever stops it waits for no call that is still under way.
  const end = () => void bench.close()
  signal.addEventListener('abort', end, { once: true })
  try {
    const figures: Figure[] = []
    for (const [index, measure] of MEASURES.entries()) {
      onStage({ done: READY + (1 - READY) * (index / MEASURES.length), measure })
      figures.push(await take(measure, bench, signal))
    }
    return figures
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', end)
    await bench.close()
  }
}

async function take(measure: Measure, bench: Bench, signal: AbortSignal): Promise<Figure> {
  const { ours, native } = await measure.prepare(bench)
  // The first one finds caches cold and code uncompiled.
  await ours(signal)
  await native?.(signal)
  const [mine, theirs]: [number[], number[]] = [[], []]
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    mine.push(await ours(signal))
    if (native) theirs.push(await native(signal))
  }
  return { measure, ours: median(mine), native: native ? median(theirs) : undefined }
}
