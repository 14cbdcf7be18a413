export { type MailboxOptions, mailbox } from './replies/mailbox.ts'
