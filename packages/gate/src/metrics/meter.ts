/** Counts calls, for Prometheus. */
export interface Meter {
  /** Starts to measure a call of a server or service. @returns what ends it, with its outcome */
  start(server: string): (outcome: string) => void
  /** All figures, in Prometheus's text format 0.0.4. */
  text(isReady: boolean): string
}

/** Upper bounds of the histogram, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

interface Series {
  running: number
  readonly outcomes: Map<string, number>
  /** Calls that took at most so long: one for each bound, and one for all. */
  readonly within: number[]
  seconds: number
}

/** @param servers names, so that each has figures before its first call @param clock milliseconds */
export function createMeter(servers: readonly string[], clock = () => performance.now()): Meter {
  const series = new Map(
    servers.map((server): [string, Series] => [
      server,
      { running: 0, outcomes: new Map(), within: [...BOUNDS, 0].map(() => 0), seconds: 0 },
    ]),
  )

  function lines(name: string, kind: string, help: string, each: (server: string, one: Series) => string[]) {
    const rows = [...series].flatMap(([server, one]) => each(`server="${server}"`, one))
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...rows.map((row) => `${name}${row}`)]
  }

  return {
    start(server) {
      const one = series.get(server)
      const began = clock()
      if (one) one.running += 1
      return (outcome) => {
        if (!one) return
        const took = (clock() - began) / 1_000
        one.running -= 1
        one.seconds += took
        one.outcomes.set(outcome, (one.outcomes.get(outcome) ?? 0) + 1)
        for (const [at, bound] of [...BOUNDS, Number.POSITIVE_INFINITY].entries())
          if (took <= bound) one.within[at] = (one.within[at] ?? 0) + 1
      }
    },
    text(isReady) {
      return [
        ...lines(
          'keyhole_gate_calls_total',
          'counter',
          'Calls by outcome: ok, error, or a refusal.',
          (server, one) =>
            [...one.outcomes].map(([outcome, count]) => `{${server},outcome="${outcome}"} ${count}`),
        ),
        ...lines('keyhole_gate_calls_running', 'gauge', 'Calls that are running.', (server, { running }) => [
          `{${server}} ${running}`,
        ]),
        ...lines('keyhole_gate_call_seconds', 'histogram', 'How long calls took.', (server, one) => [
          ...BOUNDS.map((bound, at) => `_bucket{${server},le="${bound}"} ${one.within[at]}`),
          `_bucket{${server},le="+Inf"} ${one.within.at(-1)}`,
          `_sum{${server}} ${one.seconds}`,
          `_count{${server}} ${one.within.at(-1)}`,
        ]),
        '# HELP keyhole_gate_ready Whether calls can be decided.',
        '# TYPE keyhole_gate_ready gauge',
        `keyhole_gate_ready ${isReady ? 1 : 0}`,
        '',
      ].join('\n')
    },
  }
}
