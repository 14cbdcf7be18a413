import { type Activity, type ActivityLine, toCsv } from '@keyhole/vault'

/** The shown lines as JSON, with the lines that are missing or were rewritten. */
export function activityJson(
  lines: readonly ActivityLine[],
  { missing, rewritten }: Pick<Activity, 'missing' | 'rewritten'>,
): string {
  const shown = lines.map((line) => ({ ...line, at: new Date(line.at).toISOString() }))
  return `${JSON.stringify({ format: 'keyhole-activity-v1', lines: shown, missing, rewritten }, null, 2)}\n`
}

const COLUMNS = ['number', 'time', 'tab', 'act', 'outcome', 'about', 'device'] as const

/** The log as CSV (RFC 4180), times in ISO 8601, one line per act. */
export function activityCsv(lines: readonly ActivityLine[]): string {
  const rows = lines.map(({ seq, at, tab, act, outcome, about, device }) => [
    `${seq}`,
    new Date(at).toISOString(),
    tab,
    act,
    outcome,
    about === undefined ? '' : JSON.stringify(about),
    // Empty: this device.
    device === undefined ? '' : (device.name ?? device.id),
  ])
  return toCsv([COLUMNS, ...rows])
}
