// One script for all of them, which lead to each other: each script of its own costs its digest in every page's import map.
export { MandateForm } from '../../features/payments/mandates/mandate-form.tsx'
export { HistoryTab } from './history-tab.tsx'
export { MandatesTab } from './mandates-tab.tsx'
