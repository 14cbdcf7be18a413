import type { EnclaveOptions } from '@keyhole/enclave'
import { type Bench, makeBench } from './bench.ts'
import { MEASURES, type Measure } from './measures.ts'
import { median } from './rate.ts'

/** The result of a measurement: the median of its samples. */
export interface Figure {
  readonly measure: Measure
  readonly ours: number
  /** The browser's own result, if it has an implementation. */
  readonly native?: number | undefined
}

/** How far a run has got. */
export interface Stage {
  /** From 0 to 1. */
  readonly done: number
  /** The current measurement. Undefined while preparing. */
  readonly measure?: Measure
}

/** Samples per measurement. Ours and the browser's alternate, so that both run under the same conditions. */
const SAMPLES = 3
/** The part of the progress bar for preparing. */
const READY = 0.2

/**
 * Runs all measurements in their own workers.
 * @throws the signal's reason if it is stopped
 */
export async function runBenchmark(
  options: EnclaveOptions,
  signal: AbortSignal,
  onStage: (stage: Stage) => void,
): Promise<readonly Figure[]> {
  const bench = await makeBench(options, signal, (done) => onStage({ done: done * READY }))
  // Don't wait for calls in progress when someone stops it.
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
  // The first one runs with cold caches and uncompiled code.
  await ours(signal)
  await native?.(signal)
  const [mine, theirs]: [number[], number[]] = [[], []]
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    mine.push(await ours(signal))
    if (native) theirs.push(await native(signal))
  }
  return { measure, ours: median(mine), native: native ? median(theirs) : undefined }
}
