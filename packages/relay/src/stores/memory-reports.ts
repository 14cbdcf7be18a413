import type { Bounds } from '../bounds.ts'
import type { RelayStore, Report } from './store.ts'

interface StoredReport extends Report {
  readonly isReserved: boolean
}

interface Reports extends Pick<RelayStore, 'putReport' | 'readReport'> {
  deleteOldReports(now: number): void
}

export function memoryReports(bounds: Bounds): Reports {
  /** By owner, then by sender. */
  const owners = new Map<string, Map<string, StoredReport>>()
  /** Of reports that aren't reserved. */
  let bytes = 0

  const sizeOf = (stored: StoredReport | undefined) =>
    stored && !stored.isReserved ? stored.report.length : 0

  function fits(owner: string, sender: string, length: number, isReserved: boolean): boolean {
    const known = owners.get(owner)
    const old = known?.get(sender)
    if (!old && (known?.size ?? 0) >= bounds.reportsPerOwner) return false
    return isReserved || bytes - sizeOf(old) + length <= bounds.reportBytes
  }

  function deleteOldReports(now: number): void {
    for (const [owner, reports] of owners) {
      for (const [sender, stored] of reports) {
        if (stored.until > now) continue
        bytes -= sizeOf(stored)
        reports.delete(sender)
      }
      if (reports.size === 0) owners.delete(owner)
    }
  }

  return {
    async putReport({ owner, sender, report, isReserved }, now) {
      if (!fits(owner, sender, report.length, isReserved)) deleteOldReports(now)
      if (!fits(owner, sender, report.length, isReserved)) return 'full'
      const reports = owners.get(owner) ?? new Map<string, StoredReport>()
      const stored = { until: now + bounds.reportLifetime, report: Uint8Array.from(report), isReserved }
      bytes += sizeOf(stored) - sizeOf(reports.get(sender))
      reports.set(sender, stored)
      owners.set(owner, reports)
      return 'stored'
    },
    async readReport(owner, sender, now) {
      const stored = owners.get(owner)?.get(sender)
      return stored && stored.until > now ? { until: stored.until, report: stored.report } : undefined
    },
    deleteOldReports,
  }
}
