export type {
  Introduction,
  OfferedApi,
  OfferedResource,
  OfferedServer,
  OfferedTool,
} from './introduction.ts'
export { LONGEST_INTRODUCTION_TEXT } from './introduction.ts'
export {
  FOLLOW_COMMAND,
  FOLLOW_LASTS,
  type Following,
  type LeftAnswer,
  leaveOwnerAnswer,
  type OwnerAnswer,
  type OwnerReply,
  ownerCode,
  replyOf,
  signOwnerAnswer,
} from './owner-answer.ts'
export {
  INTRODUCTION,
  type Introduced,
  type IntroductionProblem,
  readIntroduction,
} from './read-introduction.ts'
export { forgetService, readServices, type SavedService, saveService } from './services.ts'
export { type FieldKind, type ToolField, type ToolFields, toolFields } from './tool-fields.ts'
