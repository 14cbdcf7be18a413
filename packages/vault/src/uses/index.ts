export type { LastCall } from './report.ts'
export {
  type FetchedReports,
  fetchUses,
  type GrantUse,
  type ReportedBy,
  type ReportedUses,
  readUses,
} from './uses.ts'
