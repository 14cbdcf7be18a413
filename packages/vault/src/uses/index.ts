export { REPORTING_COMMANDS, type Reporter } from './gates.ts'
export type { LastCall } from './report.ts'
export {
  type FetchedReports,
  type FetchUsesOptions,
  fetchUses,
  type GrantUse,
  type ReportedBy,
  type ReportedUses,
  readUses,
} from './uses.ts'
