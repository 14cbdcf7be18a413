// One script for the parts that are read rather than filled in: each script of its own costs its digest in every page's import map.
export { ActivityTab } from './tabs/activity-tab.tsx'
export { AskTab } from './tabs/ask-tab.tsx'
export { CheckTab } from './tabs/check-tab.tsx'
export { KeysTab } from './tabs/keys-tab.tsx'
export { OverviewTab } from './tabs/overview-tab.tsx'
export { SessionsTab } from './tabs/sessions-tab.tsx'
