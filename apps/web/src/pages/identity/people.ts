// One script for both: see chunk.ts.
export { ContactsTab } from './tabs/contacts-tab.tsx'
export { ReceivedTab } from './tabs/received-tab.tsx'
