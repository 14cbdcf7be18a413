// Written by `npm run contract` from the Rust types of crates/enclave. Change those.
export interface EnclaveContract {
  readonly add_passkey: { readonly input: AddPasskeyInput; readonly answer: AddPasskeyAnswer }
  readonly authorize_payment: {
    readonly input: AuthorizePaymentInput
    readonly answer: AuthorizePaymentAnswer
  }
  readonly begin_export: { readonly input: BeginExportInput; readonly answer: ExportedBackup }
  readonly begin_import: { readonly input: BeginImportInput; readonly answer: BeginImportAnswer }
  readonly check_backup: { readonly input: CheckBackupInput; readonly answer: CheckBackupAnswer }
  readonly check_payment: { readonly input: AskedPayment; readonly answer: PaymentTerms }
  readonly check_tokens: { readonly input: CheckTokensInput; readonly answer: CheckTokensAnswer }
  readonly close_vault: { readonly input: Nothing; readonly answer: Done }
  readonly countersign_payment: { readonly input: CountersignPaymentInput; readonly answer: CountedPayment }
  readonly create_vault: { readonly input: CreateVaultInput; readonly answer: CreateVaultAnswer }
  readonly delete_key: { readonly input: KeyChoice; readonly answer: ChangedVault }
  readonly end_backup: { readonly input: Nothing; readonly answer: Done }
  readonly end_mandate: { readonly input: EndMandateInput; readonly answer: ChangedMandate }
  readonly evaluate_policy: { readonly input: EvaluatePolicyInput; readonly answer: EvaluatePolicyAnswer }
  readonly export_vault: { readonly input: ExportVaultInput; readonly answer: ExportedBackup }
  readonly finish_import: { readonly input: FinishImportInput; readonly answer: ImportedBackup }
  readonly generate_key: { readonly input: GenerateKeyInput; readonly answer: GenerateKeyAnswer }
  readonly get_issuer_did: { readonly input: Nothing; readonly answer: GetIssuerDidAnswer }
  readonly import_key: { readonly input: ImportKeyInput; readonly answer: ImportKeyAnswer }
  readonly import_vault: { readonly input: ImportVaultInput; readonly answer: ImportedBackup }
  readonly inspect_token: { readonly input: InspectTokenInput; readonly answer: InspectTokenAnswer }
  readonly invoke: { readonly input: InvokeInput; readonly answer: InvokeAnswer }
  readonly issue_receipt: { readonly input: IssueReceiptInput; readonly answer: MadeToken }
  readonly label_key: { readonly input: LabelKeyInput; readonly answer: ChangedVault }
  readonly label_unlock_method: { readonly input: LabelUnlockMethodInput; readonly answer: ChangedVault }
  readonly label_vault: { readonly input: LabelVaultInput; readonly answer: ChangedVault }
  readonly leave_devices: { readonly input: Nothing; readonly answer: ChangedVault }
  readonly list_keys: { readonly input: Nothing; readonly answer: ListKeysAnswer }
  readonly list_mandates: { readonly input: Nothing; readonly answer: ListMandatesAnswer }
  readonly list_unlock_methods: { readonly input: Nothing; readonly answer: ListUnlockMethodsAnswer }
  readonly lock_vault: { readonly input: Nothing; readonly answer: ChangedVault }
  readonly log_activity: { readonly input: LogActivityInput; readonly answer: LogActivityAnswer }
  readonly make_mandate: { readonly input: MakeMandateInput; readonly answer: MakeMandateAnswer }
  readonly new_attenuated_token: {
    readonly input: NewAttenuatedTokenInput
    readonly answer: NewAttenuatedTokenAnswer
  }
  readonly new_origin_token: { readonly input: NewOriginTokenInput; readonly answer: NewOriginTokenAnswer }
  readonly new_recovery_code: { readonly input: NewRecoveryCodeInput; readonly answer: NewRecoveryCodeAnswer }
  readonly open_backup_chunk: { readonly input: OpenBackupChunkInput; readonly answer: OpenBackupChunkAnswer }
  readonly open_records: { readonly input: OpenRecordsInput; readonly answer: OpenRecordsAnswer }
  readonly open_vault: { readonly input: OpenVaultInput; readonly answer: VaultStatus }
  readonly pause_derivations: { readonly input: PauseDerivationsInput; readonly answer: Done }
  readonly preview_key: { readonly input: PreviewKeyInput; readonly answer: PreviewKeyAnswer }
  readonly read_activity: { readonly input: ReadActivityInput; readonly answer: ReadActivityAnswer }
  readonly read_backup: { readonly input: ReadBackupInput; readonly answer: ReadBackupAnswer }
  readonly remove_unlock_method: { readonly input: RemoveUnlockMethodInput; readonly answer: ChangedVault }
  readonly revoke: { readonly input: RevokeInput; readonly answer: MadeToken }
  readonly rollback_vault: { readonly input: RevisionInput; readonly answer: VaultStatus }
  readonly seal_answer: { readonly input: SealAnswerInput; readonly answer: SealAnswerAnswer }
  readonly seal_backup_chunk: { readonly input: SealBackupChunkInput; readonly answer: SealBackupChunkAnswer }
  readonly seal_records: { readonly input: SealRecordsInput; readonly answer: SealRecordsAnswer }
  readonly set_default_key: { readonly input: KeyChoice; readonly answer: ChangedVault }
  readonly set_passphrase: { readonly input: SetPassphraseInput; readonly answer: ChangedVault }
  readonly settle_payment: { readonly input: RevisionInput; readonly answer: Done }
  readonly sign_data: { readonly input: SignDataInput; readonly answer: SignDataAnswer }
  readonly spend_mandate: { readonly input: SpendMandateInput; readonly answer: CountedPayment }
  readonly suspend_mandate: { readonly input: SuspendMandateInput; readonly answer: ChangedMandate }
  readonly unlock_vault: { readonly input: UnlockVaultInput; readonly answer: UnlockVaultAnswer }
  readonly validate_batch: { readonly input: ValidateBatchInput; readonly answer: ValidateBatchAnswer }
  readonly validate_invocation: { readonly input: ValidateInvocationInput; readonly answer: ValidationResult }
  readonly vault_status: { readonly input: Nothing; readonly answer: VaultStatus }
  readonly verify_data: { readonly input: VerifyDataInput; readonly answer: VerifyDataAnswer }
  readonly verify_token: { readonly input: VerifyTokenInput; readonly answer: VerifyTokenAnswer }
  readonly warm: { readonly input: WarmInput; readonly answer: Done }
}

/** What only the build with devices has. */
export interface DeviceContract {
  readonly adopt_head: { readonly input: Nothing; readonly answer: Adopted }
  readonly answer_pairing: { readonly input: AnswerPairingInput; readonly answer: Message }
  readonly begin_pairing: { readonly input: Nothing; readonly answer: BeginPairingAnswer }
  readonly begin_recovery: { readonly input: BeginRecoveryInput; readonly answer: BeginRecoveryAnswer }
  readonly check_pairing: { readonly input: OneMessage; readonly answer: CheckPairingAnswer }
  readonly finish_pairing: { readonly input: Nothing; readonly answer: Message }
  readonly join_as_limited: { readonly input: JoinAsLimitedInput; readonly answer: Adopted }
  readonly join_devices: { readonly input: JoinDevicesInput; readonly answer: Adopted }
  readonly make_device: { readonly input: Nothing; readonly answer: MakeDeviceAnswer }
  readonly open_device: { readonly input: OpenDeviceInput; readonly answer: OpenDeviceAnswer }
  readonly open_pairing: { readonly input: OneMessage; readonly answer: OpenPairingAnswer }
  readonly open_recovery: { readonly input: OpenRecoveryInput; readonly answer: OpenRecoveryAnswer }
  readonly propose_head: { readonly input: ProposeHeadInput; readonly answer: ProposeHeadAnswer }
  readonly read_things: { readonly input: ReadThingsInput; readonly answer: ReadThingsAnswer }
  readonly records_to_send: { readonly input: Nothing; readonly answer: RecordsToSendAnswer }
  readonly recover_account: { readonly input: RecoverAccountInput; readonly answer: RecoverAccountAnswer }
  readonly recovery_records: { readonly input: Nothing; readonly answer: RecoveryRecordsAnswer }
  readonly reveal_pairing: { readonly input: OneMessage; readonly answer: RevealPairingAnswer }
  readonly revoked_permissions: { readonly input: Nothing; readonly answer: RevokedPermissionsAnswer }
  readonly sign_mailbox_call: { readonly input: SignMailboxCallInput; readonly answer: SignMailboxCallAnswer }
  readonly sign_relay_call: { readonly input: SignRelayCallInput; readonly answer: SignRelayCallAnswer }
  readonly start_devices: { readonly input: StartDevicesInput; readonly answer: StartDevicesAnswer }
  readonly take_records: { readonly input: TakeRecordsInput; readonly answer: TakeRecordsAnswer }
  readonly write_again: { readonly input: Nothing; readonly answer: WriteAgainAnswer }
  readonly write_changes: { readonly input: WriteChangesInput; readonly answer: WriteChangesAnswer }
}

/** The fields that every answer of an export has. */
export const ANSWER_FIELDS = {
  add_passkey: ['method_id', 'status', 'enclave'],
  authorize_payment: ['token', 'cid', 'task', 'issuer', 'expires_at', 'payment'],
  begin_export: ['backup'],
  begin_import: ['format', 'address', 'chain_id', 'created_at', 'keys', 'contents'],
  check_backup: ['address', 'chain_id', 'created_at', 'keys', 'contents'],
  check_payment: ['payee', 'amount', 'currency', 'digits', 'order'],
  check_tokens: ['sound'],
  close_vault: [],
  countersign_payment: [
    'token',
    'cid',
    'task',
    'issuer',
    'expires_at',
    'payment',
    'mandate',
    'status',
    'enclave',
  ],
  create_vault: ['status', 'enclave'],
  delete_key: ['status', 'enclave'],
  end_backup: [],
  end_mandate: ['mandate', 'status', 'enclave'],
  evaluate_policy: ['allowed', 'checks', 'complete'],
  export_vault: ['backup'],
  finish_import: ['status', 'enclave', 'contents', 'added_keys'],
  generate_key: ['key', 'status', 'enclave'],
  get_issuer_did: ['issuer_did', 'address', 'chain_id'],
  import_key: ['key', 'status', 'enclave'],
  import_vault: ['status', 'enclave', 'contents', 'added_keys'],
  inspect_token: ['tokens'],
  invoke: ['token', 'cid', 'task', 'issuer', 'expires_at', 'payload'],
  issue_receipt: ['token', 'cid', 'payload'],
  label_key: ['status', 'enclave'],
  label_unlock_method: ['status', 'enclave'],
  label_vault: ['status', 'enclave'],
  leave_devices: ['status', 'enclave'],
  list_keys: ['keys'],
  list_mandates: ['mandates'],
  list_unlock_methods: ['methods'],
  lock_vault: ['status', 'enclave'],
  log_activity: ['records', 'status', 'enclave'],
  make_mandate: [
    'token',
    'issuer',
    'address',
    'cid',
    'expires_at',
    'payload',
    'mandate',
    'status',
    'enclave',
  ],
  new_attenuated_token: ['token', 'issuer', 'address', 'cid', 'expires_at', 'payload', 'effective'],
  new_origin_token: ['token', 'issuer', 'address', 'cid', 'expires_at', 'payload'],
  new_recovery_code: ['recovery_code', 'status', 'enclave'],
  open_backup_chunk: ['contents', 'last'],
  open_records: ['records'],
  open_vault: ['status'],
  pause_derivations: [],
  preview_key: ['key_type', 'did', 'address'],
  read_activity: ['lines', 'missing', 'count'],
  read_backup: ['format', 'address', 'chain_id', 'created_at'],
  remove_unlock_method: ['status', 'enclave'],
  revoke: ['token', 'cid', 'payload'],
  rollback_vault: ['status'],
  seal_answer: ['sealed'],
  seal_backup_chunk: ['chunk'],
  seal_records: ['records'],
  set_default_key: ['status', 'enclave'],
  set_passphrase: ['status', 'enclave'],
  settle_payment: [],
  sign_data: ['signature'],
  spend_mandate: ['token', 'cid', 'task', 'issuer', 'expires_at', 'payment', 'mandate', 'status', 'enclave'],
  suspend_mandate: ['mandate', 'status', 'enclave'],
  unlock_vault: ['status'],
  validate_batch: ['results'],
  validate_invocation: ['valid'],
  vault_status: ['status'],
  verify_data: ['valid'],
  verify_token: ['valid'],
  warm: [],
} as const satisfies Record<keyof EnclaveContract, readonly string[]>

/** The same of the exports for devices. */
export const DEVICE_ANSWER_FIELDS = {
  adopt_head: ['status', 'enclave', 'device'],
  answer_pairing: ['message'],
  begin_pairing: ['pairing_code', 'message'],
  begin_recovery: ['token'],
  check_pairing: ['digits', 'device', 'sealing'],
  finish_pairing: ['message'],
  join_as_limited: ['status', 'enclave', 'device'],
  join_devices: ['status', 'enclave', 'device'],
  make_device: ['device', 'sealing'],
  open_device: [
    'fits',
    'marks',
    'device',
    'members',
    'limited',
    'is_member',
    'next',
    'heads_read',
    'unsent',
    'missing',
    'went_back',
    'has_to_join',
    'unread',
    'has_to_write_again',
    'has_to_adopt',
    'state_was_shown',
  ],
  open_pairing: ['permission'],
  open_recovery: ['account', 'root'],
  propose_head: ['records'],
  read_things: ['things', 'is_all'],
  records_to_send: ['records', 'is_all'],
  recover_account: ['records'],
  recovery_records: ['codes'],
  reveal_pairing: ['message', 'digits', 'account', 'root'],
  revoked_permissions: ['permissions'],
  sign_mailbox_call: ['token', 'mailbox'],
  sign_relay_call: ['token', 'expires_at'],
  start_devices: ['status', 'enclave', 'device', 'account', 'root', 'records'],
  take_records: ['page', 'stored', 'device'],
  write_again: ['records'],
  write_changes: ['records', 'refused', 'device'],
} as const satisfies Record<keyof DeviceContract, readonly string[]>

/** What is refused, in groups. */
export const REFUSALS = {
  /** Every call: the input is not what it takes. `Internal` is a bug, or a host that breaks the rules. */
  EVERY: ['InvalidInput', 'Internal'],
  /** No account is open. */
  ACCOUNT: ['NoVault'],
  /** No account is open, or it is locked. */
  UNLOCKED: ['NoVault', 'VaultLocked'],
  /** The account is locked. */
  LOCKED: ['VaultLocked'],
  /** The account can't be changed: it would become too large, or the clock or the randomness fails. */
  CHANGE: ['AccountTooLarge', 'ClockWrong', 'NoRandomness'],
  /** An account can't be created: another one is open, the chain id is invalid, or the clock or the randomness fails. */
  CREATION: ['VaultOpen', 'ChainIdInvalid', 'ClockWrong', 'NoRandomness'],
  /** Another account is open, or this one at a later revision. */
  ACCOUNT_OPEN: ['VaultOpen'],
  /** The clock is wrong. */
  CLOCK: ['ClockWrong'],
  /** The host gave no random bytes. */
  RANDOMNESS: ['NoRandomness'],
  /** A change can't be rolled back. */
  TAKING_BACK: ['AuthorisationDelivered', 'ChangeNotLast', 'NoChangeToTakeBack'],
  /** A sealed state can't be read. */
  STATE: ['MethodNewer', 'StateAltered', 'StateDamaged', 'StateNewer', 'KdfParameters', 'KdfUnknown'],
  /** The account has no key of this id. */
  KEY: ['KeyNotFound'],
  /** It is the first key, which gives the account its address. */
  FIRST_KEY: ['FirstKey'],
  /** There is no such type of key. */
  KEY_TYPE: ['KeyTypeUnknown'],
  /** The account has 256 keys. */
  KEY_COUNT: ['TooManyKeys'],
  /** The account already has this key. */
  KEY_KNOWN: ['KeyKnown'],
  /** A key from elsewhere can't be imported. */
  KEY_TEXT: [
    'KeyAlgorithm',
    'KeyCurve',
    'KeyEncrypted',
    'KeyHalvesDiffer',
    'KeyRsa',
    'KeyTextTooLong',
    'KeyTypeOfJwk',
    'KeyTypeOfPhrase',
    'KeyTypeOther',
    'KeyWithoutCurve',
    'NoKeyAtPath',
    'NotJwk',
    'NotPkcs8',
    'NotPrivateKey',
    'OpenSshKey',
    'PathInvalid',
    'PathNotHardened',
    'PathTooLong',
    'PathWithoutPhrase',
    'PhrasePassphraseTooLong',
    'PublicKeyOnly',
    'SeveralKeys',
    'WordCount',
    'WordUnknown',
    'WordsDoNotFit',
    'KeyTypeUnknown',
  ],
  /** A name is too long. */
  LABEL: ['LabelTooLong'],
  /** The chain id is invalid. */
  CHAIN_ID: ['ChainIdInvalid'],
  /** A DID names no key. */
  DID_KEY: ['DidWithoutKey'],
  /** No key can be derived from a passphrase: too little memory, or a lock in between, which the host answers. */
  DERIVATION: ['Deriving', 'NoMemory', 'VaultLocked'],
  /** A new passphrase is too short or too long, or no key can be derived from it. */
  NEW_PASSPHRASE: ['PassphraseTooLong', 'PassphraseTooShort', 'Deriving', 'NoMemory', 'VaultLocked'],
  /** A proof doesn't unlock the account, or no key can be derived from it. */
  UNLOCK_PROOF: [
    'RecoveryCodeLength',
    'RecoveryCodeMistyped',
    'WrongPassphrase',
    'WrongRecoveryCode',
    'WrongPasskey',
    'Deriving',
    'NoMemory',
    'VaultLocked',
  ],
  /** It needs a stronger proof than the recovery code. */
  STRONGER_UNLOCK_PROOF: ['StrongerProofNeeded'],
  /** A passkey's answer was used before. */
  NEW_PASSKEY: ['PasskeyAnswerUsed'],
  /** The account already has this passkey. */
  PASSKEY_KNOWN: ['PasskeyKnown'],
  /** The account has no unlock method of this id. */
  METHOD: ['MethodNotFound'],
  /** The account has 32 unlock methods. */
  METHOD_COUNT: ['TooManyMethods'],
  /** The unlock methods would not be enough. */
  METHOD_RULE: ['PasskeyAlone', 'RecoveryCodeAlone'],
  /** An unlock method can't be sealed to: someone who could open the state altered it. */
  METHOD_KEYS: ['MethodUnusable'],
  /** A record doesn't open. */
  RECORD: ['RecordInvalid'],
  /** The log is full. */
  LOG: ['LogFull'],
  /** A backup can't be read. */
  BACKUP: ['BackupVersion', 'NotBackup', 'BackupDamaged', 'BackupTooLong', 'KdfParameters', 'KdfUnknown'],
  /** A backup doesn't open, or no key can be derived for it. */
  BACKUP_UNLOCK_PROOF: [
    'RecoveryCodeLength',
    'RecoveryCodeMistyped',
    'WrongPassphrase',
    'WrongRecoveryCode',
    'BackupWithoutPassphrase',
    'BackupWithoutRecoveryCode',
    'Deriving',
    'NoMemory',
    'VaultLocked',
  ],
  /** A backup that was written is too long, or doesn't open again. */
  BACKUP_WRITING: ['BackupNotVerified', 'BackupTooLong'],
  /** A step of writing or reading a backup is out of order. */
  BACKUP_STEP: ['BackupOutOfStep'],
  /** A part of a backup is damaged. */
  BACKUP_PART: ['BackupDamaged'],
  /** A backup can't become an account, or be merged into this one. */
  TAKING_IN: ['VaultLocked', 'ImportOfOtherAccount', 'TooManyKeys'],
  /** A field can't be read, or takes too much work. */
  FIELD: ['MalformedToken', 'TooMuchWork'],
  /** It takes too much work. */
  WORK: ['TooMuchWork'],
  /** A token can't be read. */
  TOKEN: ['MalformedToken', 'TooMuchWork', 'UnsupportedVersion'],
  /** A token could never be used. */
  ISSUED: ['Expired', 'InvalidAudience', 'InvalidClaim', 'InvalidCommand', 'InvalidSubject'],
  /** A chain is invalid. */
  CHAIN: [
    'Expired',
    'InvalidAudience',
    'InvalidClaim',
    'InvalidCommand',
    'InvalidSubject',
    'InvalidSignature',
    'TooEarly',
    'UnavailableProof',
  ],
  /** It was revoked, or may have been. */
  REVOKED: ['RevocationUnknown', 'Revoked'],
  /** The arguments break the policy. */
  ARGUMENTS: ['MatchError'],
  /** It was answered before. */
  REPLAYED: ['Replayed'],
  /** A payment is invalid. */
  PAYMENT: ['InvalidPayment'],
  /** A mandate's limits allow nothing, or too much. */
  TERMS: ['InvalidMandate'],
  /** The account has no room for another mandate. */
  MANDATE_COUNT: ['TooManyMandates'],
  /** The account has no such mandate. */
  MANDATE: ['UnknownMandate'],
  /** The mandate has ended. */
  MANDATE_OVER: ['MandateEnded'],
  /** The mandate doesn't allow it. */
  SPENDING: ['BudgetExceeded', 'MandateSuspended', 'OutsideMandate', 'MandateEnded'],
  /** Too many requests were answered within the hour. */
  REQUEST_COUNT: ['TooManyRequests'],
} as const satisfies Record<string, readonly RefusalName[]>

/** What only the exports for devices refuse. */
export const DEVICE_REFUSALS = {
  /** A device of the account may not do this, or not now. */
  DEVICES: [
    'DevicesNotLoaded',
    'NoDevice',
    'NoPermission',
    'SharedDamaged',
    'RecordMalformed',
    'RecordSignature',
    'OtherAccount',
    'NotAllowed',
    'TooManyWaiting',
    'NotMember',
    'Limited',
    'NoEpochKey',
    'HeadsDiffer',
    'OtherDeviceMustJoin',
    'DeviceUnknown',
    'DeviceKnown',
    'TooMany',
    'PairingCode',
    'PairingRefused',
    'PairingOutOfStep',
    'RecoveryNotFound',
    'RecoveryCodeReplaced',
  ],
} as const

/** The groups of what each export may refuse. */
export const REFUSES = {
  add_passkey: [
    'EVERY',
    'UNLOCKED',
    'CHANGE',
    'UNLOCK_PROOF',
    'NEW_PASSKEY',
    'PASSKEY_KNOWN',
    'METHOD_COUNT',
    'LABEL',
  ],
  authorize_payment: ['EVERY', 'UNLOCKED', 'CLOCK', 'RANDOMNESS', 'KEY', 'PAYMENT'],
  begin_export: [
    'EVERY',
    'UNLOCKED',
    'CLOCK',
    'RANDOMNESS',
    'UNLOCK_PROOF',
    'STRONGER_UNLOCK_PROOF',
    'NEW_PASSPHRASE',
    'BACKUP_WRITING',
    'METHOD_KEYS',
  ],
  begin_import: ['EVERY', 'LOCKED', 'BACKUP', 'BACKUP_UNLOCK_PROOF'],
  check_backup: ['EVERY', 'BACKUP', 'BACKUP_UNLOCK_PROOF'],
  check_payment: ['EVERY', 'PAYMENT'],
  check_tokens: ['EVERY', 'WORK'],
  close_vault: ['EVERY'],
  countersign_payment: [
    'EVERY',
    'UNLOCKED',
    'CHANGE',
    'TOKEN',
    'CHAIN',
    'REVOKED',
    'ARGUMENTS',
    'REPLAYED',
    'PAYMENT',
    'MANDATE',
    'SPENDING',
    'REQUEST_COUNT',
  ],
  create_vault: ['EVERY', 'CREATION', 'NEW_PASSPHRASE', 'NEW_PASSKEY', 'METHOD_RULE', 'KEY_TEXT', 'LABEL'],
  delete_key: ['EVERY', 'UNLOCKED', 'CHANGE', 'KEY', 'FIRST_KEY'],
  end_backup: ['EVERY'],
  end_mandate: ['EVERY', 'UNLOCKED', 'CHANGE', 'MANDATE'],
  evaluate_policy: ['EVERY', 'FIELD'],
  export_vault: [
    'EVERY',
    'UNLOCKED',
    'CLOCK',
    'RANDOMNESS',
    'UNLOCK_PROOF',
    'STRONGER_UNLOCK_PROOF',
    'NEW_PASSPHRASE',
    'BACKUP_WRITING',
    'METHOD_KEYS',
  ],
  finish_import: ['EVERY', 'TAKING_IN', 'CHANGE', 'NEW_PASSPHRASE', 'BACKUP_STEP'],
  generate_key: ['EVERY', 'UNLOCKED', 'CHANGE', 'KEY_TYPE', 'KEY_COUNT', 'LABEL'],
  get_issuer_did: ['EVERY', 'ACCOUNT'],
  import_key: ['EVERY', 'UNLOCKED', 'CHANGE', 'KEY_TEXT', 'KEY_KNOWN', 'KEY_COUNT', 'LABEL'],
  import_vault: ['EVERY', 'BACKUP', 'BACKUP_UNLOCK_PROOF', 'TAKING_IN', 'CHANGE', 'NEW_PASSPHRASE'],
  inspect_token: ['EVERY', 'TOKEN'],
  invoke: ['EVERY', 'UNLOCKED', 'CLOCK', 'RANDOMNESS', 'KEY', 'TOKEN', 'CHAIN', 'ARGUMENTS'],
  issue_receipt: ['EVERY', 'UNLOCKED', 'CLOCK', 'RANDOMNESS', 'KEY', 'FIELD'],
  label_key: ['EVERY', 'UNLOCKED', 'CHANGE', 'KEY', 'LABEL'],
  label_unlock_method: ['EVERY', 'UNLOCKED', 'CHANGE', 'METHOD', 'LABEL'],
  label_vault: ['EVERY', 'UNLOCKED', 'CHANGE', 'LABEL'],
  leave_devices: ['EVERY', 'UNLOCKED', 'CHANGE'],
  list_keys: ['EVERY', 'ACCOUNT'],
  list_mandates: ['EVERY', 'UNLOCKED', 'CLOCK'],
  list_unlock_methods: ['EVERY', 'ACCOUNT'],
  lock_vault: ['EVERY', 'ACCOUNT'],
  log_activity: ['EVERY', 'UNLOCKED', 'CHANGE', 'LOG'],
  make_mandate: [
    'EVERY',
    'UNLOCKED',
    'CHANGE',
    'KEY',
    'FIELD',
    'PAYMENT',
    'TERMS',
    'ISSUED',
    'MANDATE_COUNT',
  ],
  new_attenuated_token: ['EVERY', 'UNLOCKED', 'CLOCK', 'RANDOMNESS', 'KEY', 'TOKEN', 'CHAIN'],
  new_origin_token: ['EVERY', 'UNLOCKED', 'CLOCK', 'RANDOMNESS', 'KEY', 'FIELD', 'ISSUED'],
  new_recovery_code: [
    'EVERY',
    'UNLOCKED',
    'CHANGE',
    'UNLOCK_PROOF',
    'STRONGER_UNLOCK_PROOF',
    'METHOD_COUNT',
    'METHOD_KEYS',
  ],
  open_backup_chunk: ['EVERY', 'BACKUP_STEP', 'BACKUP_PART'],
  open_records: ['EVERY', 'UNLOCKED', 'RECORD'],
  open_vault: ['EVERY', 'STATE', 'ACCOUNT_OPEN'],
  pause_derivations: ['EVERY'],
  preview_key: ['EVERY', 'KEY_TEXT', 'CHAIN_ID'],
  read_activity: ['EVERY', 'UNLOCKED'],
  read_backup: ['EVERY', 'BACKUP'],
  remove_unlock_method: [
    'EVERY',
    'UNLOCKED',
    'CHANGE',
    'UNLOCK_PROOF',
    'STRONGER_UNLOCK_PROOF',
    'METHOD',
    'METHOD_RULE',
    'METHOD_KEYS',
  ],
  revoke: ['EVERY', 'UNLOCKED', 'CLOCK', 'KEY', 'TOKEN', 'CHAIN', 'ARGUMENTS'],
  rollback_vault: ['EVERY', 'ACCOUNT', 'TAKING_BACK'],
  seal_answer: ['EVERY', 'RANDOMNESS'],
  seal_backup_chunk: ['EVERY', 'UNLOCKED', 'RANDOMNESS', 'BACKUP_STEP'],
  seal_records: ['EVERY', 'UNLOCKED', 'RANDOMNESS'],
  set_default_key: ['EVERY', 'UNLOCKED', 'CHANGE', 'KEY'],
  set_passphrase: [
    'EVERY',
    'UNLOCKED',
    'CHANGE',
    'UNLOCK_PROOF',
    'NEW_PASSPHRASE',
    'METHOD_COUNT',
    'METHOD_KEYS',
  ],
  settle_payment: ['EVERY', 'ACCOUNT'],
  sign_data: ['EVERY', 'UNLOCKED', 'KEY'],
  spend_mandate: ['EVERY', 'UNLOCKED', 'CHANGE', 'PAYMENT', 'MANDATE', 'SPENDING'],
  suspend_mandate: ['EVERY', 'UNLOCKED', 'CHANGE', 'MANDATE', 'MANDATE_OVER'],
  unlock_vault: ['EVERY', 'ACCOUNT', 'UNLOCK_PROOF', 'STATE', 'ACCOUNT_OPEN', 'CHANGE'],
  validate_batch: ['EVERY', 'CLOCK', 'TOKEN'],
  validate_invocation: ['EVERY', 'CLOCK', 'TOKEN'],
  vault_status: ['EVERY'],
  verify_data: ['EVERY', 'ACCOUNT', 'DID_KEY'],
  verify_token: ['EVERY', 'CLOCK', 'TOKEN', 'CHAIN_ID'],
  warm: ['EVERY', 'DERIVATION'],
} as const satisfies Record<keyof EnclaveContract, readonly (keyof typeof REFUSALS)[]>

/** The same of the exports for devices. */
export const DEVICE_REFUSES = {
  adopt_head: ['EVERY', 'UNLOCKED', 'CHANGE', 'STATE', 'DEVICES'],
  answer_pairing: ['EVERY', 'UNLOCKED', 'RANDOMNESS', 'DEVICES'],
  begin_pairing: ['EVERY', 'UNLOCKED', 'RANDOMNESS', 'DEVICES'],
  begin_recovery: ['EVERY', 'CLOCK', 'RANDOMNESS', 'FIELD', 'ISSUED', 'UNLOCK_PROOF', 'DEVICES'],
  check_pairing: ['EVERY', 'UNLOCKED', 'DEVICES'],
  finish_pairing: ['EVERY', 'UNLOCKED', 'RANDOMNESS', 'STATE', 'DEVICES'],
  join_as_limited: ['EVERY', 'UNLOCKED', 'CHANGE', 'DEVICES'],
  join_devices: ['EVERY', 'CHANGE', 'STATE', 'DEVICES'],
  make_device: ['EVERY', 'UNLOCKED', 'RANDOMNESS', 'DEVICES'],
  open_device: ['EVERY', 'UNLOCKED', 'DEVICES'],
  open_pairing: ['EVERY', 'DEVICES'],
  open_recovery: ['EVERY', 'DEVICES'],
  propose_head: [
    'EVERY',
    'UNLOCKED',
    'CHANGE',
    'UNLOCK_PROOF',
    'STRONGER_UNLOCK_PROOF',
    'STATE',
    'TAKING_IN',
    'KEY_COUNT',
    'KEY_TYPE',
    'KEY_TEXT',
    'KEY_KNOWN',
    'KEY',
    'FIRST_KEY',
    'LABEL',
    'NEW_PASSPHRASE',
    'NEW_PASSKEY',
    'PASSKEY_KNOWN',
    'METHOD',
    'METHOD_COUNT',
    'METHOD_RULE',
    'METHOD_KEYS',
    'ISSUED',
    'DEVICES',
  ],
  read_things: ['EVERY', 'UNLOCKED', 'DEVICES'],
  records_to_send: ['EVERY', 'UNLOCKED', 'DEVICES'],
  recover_account: [
    'EVERY',
    'CHANGE',
    'UNLOCK_PROOF',
    'STATE',
    'TAKING_IN',
    'KEY_COUNT',
    'METHOD_COUNT',
    'METHOD_RULE',
    'METHOD_KEYS',
    'ISSUED',
    'FIELD',
    'DEVICES',
  ],
  recovery_records: ['EVERY', 'UNLOCKED', 'DEVICES'],
  reveal_pairing: ['EVERY', 'RANDOMNESS', 'DEVICES'],
  revoked_permissions: ['EVERY', 'UNLOCKED', 'DEVICES'],
  sign_mailbox_call: ['EVERY', 'CLOCK', 'RANDOMNESS', 'FIELD', 'ISSUED', 'DEVICES'],
  sign_relay_call: ['EVERY', 'UNLOCKED', 'CLOCK', 'RANDOMNESS', 'FIELD', 'TOKEN', 'CHAIN', 'DEVICES'],
  start_devices: ['EVERY', 'UNLOCKED', 'CHANGE', 'UNLOCK_PROOF', 'DEVICES'],
  take_records: ['EVERY', 'UNLOCKED', 'DEVICES'],
  write_again: ['EVERY', 'UNLOCKED', 'RANDOMNESS', 'DEVICES'],
  write_changes: ['EVERY', 'UNLOCKED', 'CLOCK', 'RANDOMNESS', 'DEVICES'],
} as const satisfies Record<
  keyof DeviceContract,
  readonly (keyof typeof REFUSALS | keyof typeof DEVICE_REFUSALS)[]
>

/** A line that was read. */
export interface ActivityLine {
  /** What was logged; null if the line does not open. */
  readonly entry: unknown
  /** Its number. */
  readonly seq: number
  /** Whether it is the line that was written, as far as the lines after it prove. */
  readonly sound: boolean
}

/** The status, and the sealed state to store. */
export interface AddPasskeyAnswer {
  readonly enclave: string
  readonly method_id: string
  readonly status: EnclaveStatus
}

export interface AddPasskeyInput {
  readonly passkey: PasskeyInput
  readonly proof: UnlockProofInput
}

/** What a new device may do: everything, or only report what it did. */
export type AddedRole = 'full' | 'limited'

/** The status, and the sealed state to store. */
export interface Adopted {
  readonly device: DeviceStatus
  readonly enclave: string
  readonly status: EnclaveStatus
}

export interface AnswerPairingInput {
  readonly code: string
  readonly message: string
}

/** A payment as a site requests it: the origin according to the browser, and a decimal amount. */
export interface AskedPayment {
  /** ISO 4217. */
  readonly currency: string
  /** The payee's reference. */
  readonly order: string
  /** As the browser names it: `https://shop.example`. */
  readonly origin: string
  /** Decimal, as in `PaymentCurrencyAmount`: `25.00`. */
  readonly value: string
}

export interface AuthorizePaymentAnswer {
  readonly cid: string
  /** Seconds since 1970: an authorisation always expires. */
  readonly expires_at: number
  readonly issuer: string
  readonly payment: PaymentTerms
  readonly task: string
  readonly token: string
}

export interface AuthorizePaymentInput {
  readonly key_id?: string | undefined
  readonly minutes?: number | undefined
  readonly payment: AskedPayment
}

export interface BeginExportInput {
  readonly contents: unknown
  /** Left out where only the account's recovery code opens the file. */
  readonly export_passphrase?: string | undefined
  readonly proof: UnlockProofInput
}

export interface BeginImportAnswer {
  readonly address: string
  readonly chain_id: string
  readonly contents: unknown
  readonly created_at: number
  readonly format: string
  readonly keys: readonly CheckedKey[]
}

export interface BeginImportInput {
  readonly backup: string
  /** The backup is only checked: its keys are dropped at once. */
  readonly check?: boolean | undefined
  readonly export_passphrase?: string | undefined
  readonly recovery_code?: string | undefined
}

export interface BeginPairingAnswer {
  readonly message: string
  /** To show, and for the other device to read. */
  readonly pairing_code: string
}

export interface BeginRecoveryAnswer {
  /** A call that reads the code's place, for the `Authorization` header, after `Bearer `. */
  readonly token: string
}

export interface BeginRecoveryInput {
  readonly code: string
  /** The relay's DID. */
  readonly relay: string
}

/** A delegation of a chain. */
export interface ChainLink {
  readonly audience: string
  readonly cid: string
  readonly command: string
  readonly expires_at: number | null
  readonly issuer: string
  readonly not_before: number | null
  readonly policy: readonly unknown[]
  readonly subject: string | null
}

/** The status, and the sealed state to store. */
export interface ChangedMandate {
  readonly enclave: string
  readonly mandate: EnclaveMandate
  readonly status: EnclaveStatus
}

export interface ChangedThing {
  readonly id: string
  readonly thing: string
}

/** The status, and the sealed state to store. */
export interface ChangedVault {
  readonly enclave: string
  readonly status: EnclaveStatus
}

export interface CheckBackupAnswer {
  readonly address: string
  readonly chain_id: string
  readonly contents: unknown
  readonly created_at: number
  readonly keys: readonly CheckedKey[]
}

export interface CheckBackupInput {
  readonly backup: string
  readonly export_passphrase?: string | undefined
  readonly recovery_code?: string | undefined
}

export interface CheckPairingAnswer {
  /** For `propose_head`. */
  readonly device: string
  /** Six digits, which must be those on the other device. */
  readonly digits: string
  readonly sealing: string
}

export interface CheckTokensAnswer {
  /** For each text, whether it has tokens, all of them readable and signed by their issuers. */
  readonly sound: readonly boolean[]
}

export interface CheckTokensInput {
  /** Texts of tokens. */
  readonly tokens: readonly string[]
}

export interface CheckedKey {
  readonly did: string
  readonly key_id: string
  readonly key_type: KeyType
}

/** What a relay has to have at the place of a recovery code. */
export interface CodeRecord {
  /** The code's device, which is one of the account's. */
  readonly device: string
  readonly record: string
  /** The call that adds it, for the `Authorization` header, after `Bearer `. */
  readonly token: string
}

/** The status, and the sealed state to store. */
export interface CountedPayment {
  readonly cid: string
  readonly enclave: string
  /** Seconds since 1970: an authorisation always expires. */
  readonly expires_at: number
  readonly issuer: string
  readonly mandate: EnclaveMandate
  readonly payment: PaymentTerms
  readonly status: EnclaveStatus
  readonly task: string
  readonly token: string
}

export interface CountersignPaymentInput {
  readonly minutes?: number | undefined
  readonly request: string
  readonly revocations?: readonly string[] | undefined
  readonly revoked?: readonly string[] | undefined
}

/** The status, and the sealed state to store. */
export interface CreateVaultAnswer {
  readonly enclave: string
  readonly recovery_code?: string
  readonly status: EnclaveStatus
}

export interface CreateVaultInput {
  readonly chain_id?: string | undefined
  readonly key?: KeyText | undefined
  readonly key_type?: KeyType | undefined
  readonly label?: string | undefined
  readonly passkey?: PasskeyInput | undefined
  readonly passphrase?: string | undefined
  readonly recovery_code?: boolean | undefined
}

/** A currency by its three capital letters. */
export type Currency = string

/** What to sign: base64url without padding, or a list of numbers, which takes ten times as long to read. */
export type Data = string | readonly number[]

/** How far this device is. */
export interface DeviceStatus {
  readonly device: string
  /** Whether the account's shared parts differ from those of the last head. */
  readonly has_to_adopt: boolean
  readonly has_to_join: boolean
  readonly has_to_write_again: boolean
  readonly heads_read: number
  /** Whether it is one of them. */
  readonly is_member: boolean
  /** Those of them that are limited. */
  readonly limited: readonly string[]
  /** The ids of the account's devices, in the order in which they were added. */
  readonly members: readonly string[]
  /** How many records are named by others and not here. */
  readonly missing: number
  /** Where to read the relay's list from, and how many heads were read up to there. */
  readonly next: number
  /** Whether a relay has been shown the account's address, public keys and unlock methods: its first head is of an older version. */
  readonly state_was_shown: boolean
  /** How many heads of other branches this device can't read. A device that can has to join them, or this one with a proof. Until then, keys and unlock methods may be missing. */
  readonly unread: number
  /** How many changes of this device the relay was not seen to have. */
  readonly unsent: number
  /** How often the relay has gone back. */
  readonly went_back: number
}

/** An answer without fields. */
export type Done = Readonly<Record<string, never>>

/** The limits that really apply along a chain. */
export interface EffectiveDelegation {
  readonly command: string
  readonly expires_at: number | null
  readonly not_before: number | null
  readonly policy: readonly unknown[]
}

/** A key, without its private half. */
export interface EnclaveKey {
  /** Seconds since 1970. */
  readonly created_at: number
  readonly did: string
  readonly is_default: boolean
  /** The key that gives the account its address; it cannot be deleted. */
  readonly is_first: boolean
  readonly key_id: string
  readonly key_type: KeyType
  /** Only while unlocked. */
  readonly label?: string
}

/** A mandate with its count, as the private section stores it. */
export interface EnclaveMandate {
  /** Who may ask. If this is the issuer, no one else. */
  readonly audience: string
  /** The budget of each period. */
  readonly budget: MandateBudget
  /** CID of the delegation. */
  readonly cid: string
  /** When it was made, in seconds. */
  readonly created_at: number
  /** The currency of every payment. */
  readonly currency: Currency
  readonly digits: number
  /** It has ended for good. */
  readonly ended: boolean
  /** Expiry in seconds. */
  readonly expires_at?: number
  /** DID of the account's key that signed it, and signs the authorisations under it. */
  readonly issuer: string
  /** The largest payment. */
  readonly max: number
  /** The smallest payment. */
  readonly min?: number
  /** Start in seconds. */
  readonly not_before?: number
  /** Only this vault uses it. */
  readonly own: boolean
  /** Who may be paid. Empty: anyone. */
  readonly payees?: readonly string[]
  readonly remaining: MandateRemaining
  /** Nothing is authorised until a person confirms it. */
  readonly suspended: boolean
  /** Used in all periods together. */
  readonly total: MandateUse
  /** Used in the period that was counted last. */
  readonly used: MandateUse
}

/** The state of the vault; public parts only while it is locked. */
export interface EnclaveStatus {
  readonly address?: string
  readonly chain_id?: string
  readonly default_key?: string
  readonly initialized: boolean
  readonly issuer_did?: string
  readonly keys: readonly EnclaveKey[]
  /** Only while unlocked. */
  readonly label?: string
  readonly locked: boolean
  readonly revision?: number
  /** The revision up to which nothing is rolled back: what was signed with it may have been handed out. */
  readonly settled?: number
}

export interface EndMandateInput {
  readonly cid: string
}

export interface EvaluatePolicyAnswer {
  readonly allowed: boolean
  readonly checks: readonly PolicyCheck[]
  readonly complete: boolean
}

export interface EvaluatePolicyInput {
  /** What is asked for. */
  readonly call: PolicyCall
  /** The command of one delegation, with `policy`; or pass `links`. */
  readonly command?: string | undefined
  /** The limits of each delegation in a chain, root first. */
  readonly links?: readonly PolicyLink[] | undefined
  readonly policy?: readonly unknown[] | undefined
}

export interface ExportVaultInput {
  readonly contents: unknown
  readonly export_passphrase: string
  readonly proof: UnlockProofInput
}

export interface ExportedBackup {
  readonly backup: string
}

export interface FinishImportInput {
  /** A new account gets a revision above this one. */
  readonly above?: number | undefined
  readonly passphrase?: string | undefined
  /** Ids of keys that a merge leaves out. */
  readonly without?: readonly string[] | undefined
}

/** The status, and the sealed state to store. */
export interface GenerateKeyAnswer {
  readonly enclave: string
  readonly key: EnclaveKey
  readonly status: EnclaveStatus
}

export interface GenerateKeyInput {
  readonly key_type?: KeyType | undefined
  readonly label?: string | undefined
}

export interface GetIssuerDidAnswer {
  readonly address: string
  readonly chain_id: string
  readonly issuer_did: string
}

/** The status, and the sealed state to store. */
export interface ImportKeyAnswer {
  readonly enclave: string
  readonly key: EnclaveKey
  readonly status: EnclaveStatus
}

export interface ImportKeyInput {
  readonly key: KeyText
  readonly label?: string | undefined
}

export interface ImportVaultInput {
  readonly backup: string
  readonly export_passphrase?: string | undefined
  readonly passphrase?: string | undefined
  readonly recovery_code?: string | undefined
}

/** The status, and the sealed state to store. */
export interface ImportedBackup {
  readonly added_keys: readonly string[]
  readonly contents: unknown
  readonly enclave: string
  readonly status: EnclaveStatus
}

export interface InspectTokenAnswer {
  readonly tokens: readonly InspectedToken[]
}

export interface InspectTokenInput {
  readonly token: string
}

export interface InspectedToken {
  readonly algorithm: string
  readonly cid: string
  readonly kind: 'delegation' | 'invocation'
  readonly payload: Readonly<Record<string, unknown>>
  readonly signature_valid: boolean
}

export interface InvokeAnswer {
  readonly cid: string
  readonly expires_at: number | null
  readonly issuer: string
  /** What the invocation says, as in the answer of `inspect_token`. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly task: string
  readonly token: string
}

export interface InvokeInput {
  /** A map in DAG-JSON. */
  readonly args: Readonly<Record<string, unknown>>
  /** DID of who carries it out. Default: the subject. */
  readonly audience_did?: string | undefined
  readonly command: string
  /** Seconds since 1970. Absent: in 5 minutes, or at the chain's earliest expiry if that is sooner. Null: never. */
  readonly expires_at?: number | null | undefined
  /** The key that signs. Default: the one the token is addressed to, else the account's default key. */
  readonly key_id?: string | undefined
  /** CID of the delegation to use, if the token leaves it open. */
  readonly leaf?: string | undefined
  /** The token that gives the authority; the subject itself needs none. */
  readonly proof_token?: string | undefined
  /** DID of the resource's owner. */
  readonly subject_did: string
}

export interface IssueReceiptInput {
  /** What went wrong, in DAG-JSON: this or `ok`. */
  readonly error?: unknown | undefined
  /** The key that signs. Default: the account's default key. */
  readonly key_id?: string | undefined
  /** The result, in DAG-JSON: this or `error`. */
  readonly ok?: unknown | undefined
  /** CID of the task, as in the invocation's answer. */
  readonly task: string
}

export interface JoinAsLimitedInput {
  readonly account: string
  /** Its permission at the relay. All but the records come from pairing. */
  readonly permission: string
  readonly records: readonly string[]
  readonly root: string
}

export interface JoinDevicesInput {
  readonly account: string
  readonly records: readonly string[]
  /** The id of the first head. Both come from pairing, never from the relay. */
  readonly root: string
}

/** The changes of keys that a head makes for all devices. */
export type KeyChange =
  | { readonly generate_key: { readonly key_type?: KeyType | undefined } }
  | { readonly import_key: { readonly key: KeyText } }
  | { readonly delete_key: { readonly key_id: string } }
  | { readonly set_default_key: { readonly key_id: string } }

export interface KeyChoice {
  readonly key_id: string
}

/** A key as another program wrote it. */
export interface KeyText {
  readonly format?: string | undefined
  readonly key_type?: KeyType | undefined
  readonly mnemonic_passphrase?: string | undefined
  readonly path?: string | undefined
  readonly text: string
}

/** The algorithm of a key pair. */
export type KeyType = 'ed25519' | 'p256' | 'secp256k1'

export interface LabelKeyInput {
  readonly key_id: string
  readonly label: string
}

export interface LabelUnlockMethodInput {
  readonly label: string
  readonly method_id: string
}

export interface LabelVaultInput {
  readonly label: string
}

export interface ListKeysAnswer {
  readonly keys: readonly EnclaveKey[]
}

export interface ListMandatesAnswer {
  readonly mandates: readonly EnclaveMandate[]
}

export interface ListUnlockMethodsAnswer {
  readonly methods: readonly UnlockMethod[]
}

/** The status, and the sealed state to store. */
export interface LogActivityAnswer {
  readonly enclave: string
  readonly records: readonly SealedLine[]
  readonly status: EnclaveStatus
}

export interface LogActivityInput {
  readonly entries: readonly unknown[]
}

export interface MadeToken {
  readonly cid: string
  /** What the invocation says, as in the answer of `inspect_token`. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly token: string
}

export type MailboxCall =
  | { readonly open: Readonly<Record<string, never>> }
  | {
      readonly read: {
        /** How long the relay may wait for a message, in seconds. */ readonly wait?: number | undefined
      }
    }

export interface MakeDeviceAnswer {
  readonly device: string
  readonly sealing: string
}

/** The status, and the sealed state to store. */
export interface MakeMandateAnswer {
  readonly address: string
  readonly cid: string
  readonly enclave: string
  readonly expires_at: number | null
  readonly issuer: string
  readonly mandate: EnclaveMandate
  /** What the token says, as in the answer of `inspect_token`. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly status: EnclaveStatus
  readonly token: string
}

export interface MakeMandateInput {
  readonly audience_did?: string | undefined
  readonly budget: MandateBudget
  readonly currency: string
  readonly expires_at?: number | null | undefined
  readonly key_id?: string | undefined
  readonly max: number
  readonly min?: number | undefined
  readonly not_before?: number | undefined
  readonly payees?: readonly string[] | undefined
}

/** What may be spent in each period. At least one of the two limits is set. */
export interface MandateBudget {
  /** The most to spend in all, in minor units. */
  readonly amount?: number
  /** The most payments. */
  readonly payments?: number
  /** The period that it is counted over. */
  readonly period: Period
}

/** What is left of a budget at a given time. */
export interface MandateRemaining {
  /** In minor units, if the budget limits the amount. */
  readonly amount?: number
  /** Payments, if the budget limits their number. */
  readonly payments?: number
  /** When the period ends and the whole budget is available again, in seconds. */
  readonly until: number
}

/** What was spent within one period. */
export interface MandateUse {
  /** In minor units. */
  readonly amount: number
  /** How many payments. */
  readonly payments: number
  /** The period's first second. */
  readonly since: number
}

/** The particular reason why a payment or a mandate is refused: a name for programs, and a sentence. */
export type MandateWhy =
  | 'MandateEnded'
  | 'MandateSuspended'
  | 'MandateWithoutPayee'
  | 'MandateNotYet'
  | 'MandateExpired'
  | 'PaymentSize'
  | 'BudgetTooSmall'
  | 'LeastAboveMost'
  | 'BudgetWithoutLimit'
  | 'BudgetBelowLeast'
  | 'LimitAboveBudget'
  | 'NoPayments'
  | 'PayeeNeeded'
  | 'TooManyPayees'
  | 'EndsBeforeMade'
  | 'NoCount'
  | 'OthersMandate'
  | 'OwnMandateInChain'
  | 'UnderNoMandate'
  | 'SeveralMandates'
  | 'MandateKeyGone'
  | 'OtherCurrency'
  | 'OtherPayee'
  | 'MoneyInvalid'
  | 'PayeeInvalid'
  | 'OriginInvalid'
  | 'OrderInvalid'
  | 'MinutesInvalid'
  | 'ArgumentInvalid'

export interface MarkedRecord {
  readonly id: string
  readonly mark: string
}

export interface Message {
  readonly message: string
}

/** The changes here that a head makes for all devices. */
export type MethodChange =
  | { readonly set_passphrase: { readonly passphrase: string } }
  | { readonly add_passkey: { readonly passkey: PasskeyInput } }
  | { readonly new_recovery_code: Readonly<Record<string, never>> }
  | { readonly remove_unlock_method: { readonly method_id: string } }

export interface NewAttenuatedTokenAnswer {
  /** The audience's address, or its DID if that isn't a did:key. */
  readonly address: string
  readonly cid: string
  readonly effective: EffectiveDelegation
  readonly expires_at: number | null
  /** The DID of the key that signed. */
  readonly issuer: string
  /** What the delegation says, as in the answer of `inspect_token`. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The delegation with all its proofs, as a container text. */
  readonly token: string
}

export interface NewAttenuatedTokenInput {
  /** DID of the recipient. */
  readonly audience_did: string
  /** The command to delegate: the parent's, or one below it. */
  readonly command: string
  /** Seconds since 1970. Absent: the chain's earliest expiry. */
  readonly expires_at?: number | null | undefined
  /** The key that signs. Default: the account's default key, else the one that the parent is addressed to. */
  readonly key_id?: string | undefined
  /** CID of the delegation to continue, if the container leaves it open. */
  readonly leaf?: string | undefined
  /** Facts in DAG-JSON. They are signed, and no one checks them. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** Seconds since 1970. */
  readonly not_before?: number | undefined
  /** The token to narrow: a container in any encoding, or a bare envelope. */
  readonly parent_token: string
  /** Conditions in addition to the parent's, in DAG-JSON. Default: none. */
  readonly policy?: readonly unknown[] | undefined
  /** DID of the resource's owner. Default: the parent's subject. */
  readonly subject_did?: string | undefined
}

export interface NewOriginTokenAnswer {
  /** The audience's address, or its DID if that isn't a did:key. */
  readonly address: string
  readonly cid: string
  readonly expires_at: number | null
  /** The DID of the key that signed. */
  readonly issuer: string
  /** What the delegation says, as in the answer of `inspect_token`. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The delegation with all its proofs, as a container text. */
  readonly token: string
}

export interface NewOriginTokenInput {
  /** DID of the recipient. */
  readonly audience_did: string
  /** The command to delegate: lower case, starts with `/`. */
  readonly command: string
  /** Seconds since 1970. Absent: 24 hours from now. Null: never. */
  readonly expires_at?: number | null | undefined
  /** The key that signs. Default: the account's default key. */
  readonly key_id?: string | undefined
  /** Facts in DAG-JSON. They are signed, and no one checks them. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** Seconds since 1970. */
  readonly not_before?: number | undefined
  /** Conditions that the arguments of an invocation must all meet, in DAG-JSON. Default: none. */
  readonly policy?: readonly unknown[] | undefined
  /** DID of the resource's owner. Default: the issuer. */
  readonly subject_did?: string | undefined
}

/** The status, and the sealed state to store. */
export interface NewRecoveryCodeAnswer {
  readonly enclave: string
  readonly recovery_code: string
  readonly status: EnclaveStatus
}

export interface NewRecoveryCodeInput {
  readonly proof: UnlockProofInput
}

/** An input without fields. */
export type Nothing = Readonly<Record<string, never>>

export interface OneChange {
  readonly id: string
  readonly thing: string
  /** Left out to delete it. */
  readonly value?: string | undefined
}

export interface OneMessage {
  readonly message: string
}

export interface OneThing {
  /** The device that wrote it, or deleted it. */
  readonly author: string
  readonly id: string
  readonly is_deleted: boolean
  /** The last different value. */
  readonly older: Text
  /** The device that wrote that one. */
  readonly older_author?: string
  readonly value: Text
}

export interface OpenBackupChunkAnswer {
  readonly contents: unknown
  readonly last: boolean
}

export interface OpenBackupChunkInput {
  readonly chunk: string
}

/** How far this device is. */
export interface OpenDeviceAnswer {
  readonly device: string
  /** Whether each page begins where the one before ends. If not, their records are here, and the relay is read from its first place. */
  readonly fits: boolean
  /** Whether the account's shared parts differ from those of the last head. */
  readonly has_to_adopt: boolean
  readonly has_to_join: boolean
  readonly has_to_write_again: boolean
  readonly heads_read: number
  /** Whether it is one of them. */
  readonly is_member: boolean
  /** Those of them that are limited. */
  readonly limited: readonly string[]
  /** What says later that a record was checked, for those that came without it. Only this device can make or use them. */
  readonly marks: readonly MarkedRecord[]
  /** The ids of the account's devices, in the order in which they were added. */
  readonly members: readonly string[]
  /** How many records are named by others and not here. */
  readonly missing: number
  /** Where to read the relay's list from, and how many heads were read up to there. */
  readonly next: number
  /** Whether a relay has been shown the account's address, public keys and unlock methods: its first head is of an older version. */
  readonly state_was_shown: boolean
  /** How many heads of other branches this device can't read. A device that can has to join them, or this one with a proof. Until then, keys and unlock methods may be missing. */
  readonly unread: number
  /** How many changes of this device the relay was not seen to have. */
  readonly unsent: number
  /** How often the relay has gone back. */
  readonly went_back: number
}

export interface OpenDeviceInput {
  /** They go on where the last call ended: the device is open with what it was given there. Default: it is opened anew. */
  readonly goes_on?: boolean | undefined
  /** What earlier answers gave for any of these records: they are not checked again. Default: none. */
  readonly marks?: readonly string[] | undefined
  /** The relay's list, as it was read, from the first place on or from where the last call ended. Default: none. */
  readonly pages?: readonly StoredPageInput[] | undefined
  /** Those whose place in the relay's list isn't known, in any order. */
  readonly records: readonly string[]
}

export interface OpenPairingAnswer {
  /** This device's permission at the relay. */
  readonly permission: string
}

export interface OpenRecordsAnswer {
  readonly records: readonly OpenedRecord[]
}

export interface OpenRecordsInput {
  readonly records: readonly RecordToOpen[]
}

export interface OpenRecoveryAnswer {
  /** For `recover_account` and `join_devices`. */
  readonly account: string
  readonly root: string
}

export interface OpenRecoveryInput {
  /** What the relay has at the code's place. */
  readonly records: readonly string[]
}

export interface OpenVaultInput {
  readonly enclave: string
}

export type OpenedRecord = { readonly plaintext: string } | Refusal

export interface PasskeyAnswer {
  readonly credential: string
  readonly prf: string
}

/** A passkey to add. */
export interface PasskeyInput {
  readonly credential: string
  readonly label?: string | undefined
  readonly prf: string
  readonly relying_party: string
  readonly salt: string
}

export interface PauseDerivationsInput {
  readonly blocks?: number | undefined
}

/** A payment in the terms that get signed. */
export interface PaymentTerms {
  /** In minor units. */
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
  /** Digits after the decimal point. */
  readonly digits: number
  readonly order: string
  /** `did:web` of the site. */
  readonly payee: string
}

/** The period of a budget. */
export type Period = 'day' | 'week' | 'month'

export interface PlainRecord {
  readonly context: string
  readonly plaintext: string
}

export interface PolicyCall {
  readonly args: Readonly<Record<string, unknown>>
  readonly command: string
}

export interface PolicyCheck {
  /** What it leads to, if that is short. */
  readonly found?: unknown
  /** Null if finding out takes too much work. */
  readonly holds: boolean | null
  /** Which item of a list decides. */
  readonly item?: number
  /** Which delegation, root first, from 0. */
  readonly link: number
  /** Whether the statement's path leads anywhere. */
  readonly resolved?: boolean
  readonly rule: 'command' | 'statement'
  /** For a statement: its positions in the policy, from the outside in. */
  readonly statement?: readonly number[]
}

export interface PolicyLink {
  readonly command: string
  readonly policy?: readonly unknown[] | undefined
}

export interface PreviewKeyAnswer {
  readonly address: string
  readonly did: string
  readonly key_type: KeyType
  readonly path?: string
}

export interface PreviewKeyInput {
  readonly chain_id?: string | undefined
  readonly key: KeyText
}

/** A head, and what it makes. None of it is in force before the head was read from the relay. */
export interface ProposeHeadAnswer {
  readonly key_id?: string
  readonly method_id?: string
  /** The device's permission at the relay, for pairing. */
  readonly permission?: string
  readonly records: readonly string[]
  readonly recovery_code?: string
}

export interface ProposeHeadInput {
  readonly change: Proposed
  /** Whether all devices have said that they read heads whose state is sealed. Once a head's is, so are all that follow. */
  readonly may_seal?: boolean | undefined
  /** Needed to change devices and unlock methods. */
  readonly proof?: UnlockProofInput | undefined
  /** The DID of the account's relay: with it, a new recovery code opens the account from there. */
  readonly relay?: string | undefined
}

export type Proposed =
  | {
      readonly add: {
        readonly device: string
        /** Default: full. */
        readonly role?: AddedRole | undefined
        readonly sealing: string
      }
    }
  | { readonly remove: { readonly device: string } }
  | { readonly join: Readonly<Record<string, never>> }
  | { readonly keys: KeyChange }
  | { readonly unlock_methods: MethodChange }

/** What is left of a log. */
export interface ReadActivityAnswer {
  /** How many lines have been written. */
  readonly count: number
  /** By number, each once. */
  readonly lines: readonly ActivityLine[]
  /** Runs of missing numbers, first and last. */
  readonly missing: readonly (readonly [number, number])[]
}

export interface ReadActivityInput {
  readonly records: readonly SealedLine[]
}

export interface ReadBackupAnswer {
  readonly address: string
  readonly chain_id: string
  readonly created_at: number
  readonly format: string
}

export interface ReadBackupInput {
  readonly backup: string
}

export interface ReadThingsAnswer {
  readonly is_all: boolean
  readonly things: readonly OneThing[]
}

export interface ReadThingsInput {
  /** Only those after this id. */
  readonly after?: string | undefined
  /** Only these. */
  readonly ids?: readonly string[] | undefined
  readonly thing: string
}

export interface RecordToOpen {
  readonly context: string
  readonly sealed: string
}

export interface RecordsToSendAnswer {
  /** Whether these are all. */
  readonly is_all: boolean
  readonly records: readonly string[]
}

export interface RecoverAccountAnswer {
  /** A head that names this device; none if one does already. */
  readonly records: readonly string[]
}

export interface RecoverAccountInput {
  /** The account's heads. */
  readonly records: readonly string[]
}

export interface RecoveryRecordsAnswer {
  readonly codes: readonly CodeRecord[]
}

/** `{"error": text, "code": CODE, "name": NAME}`, with the values and the token's CID that it is about, if any. */
export interface Refusal {
  /** What it is about. */
  readonly args?: RefusalArgs
  /** The token that broke it. */
  readonly cid?: string
  /** One of the key-vault layer's nine codes. */
  readonly code: VaultErrorCode
  /** A sentence for developers. Never a secret. */
  readonly error: string
  /** What was refused, for programs. For a token it is the rule that it broke, as UCAN's fixtures name it. */
  readonly name: RefusalName
}

/** The values in a refusal's sentence that a person may see. */
export interface RefusalArgs {
  /** How many there are. */
  readonly count?: number
  /** What would have been right: a DID, a command, a type of key; a time in seconds since 1970. */
  readonly expected?: string | number
  /** What was found. */
  readonly found?: string | number
  /** The fewest allowed. */
  readonly least?: number
  /** The most allowed. */
  readonly most?: number
  /** Which of them, from 1. */
  readonly place?: number
  /** The particular reason, if the name is that of a rule. */
  readonly why?: RefusalReason
}

export type RefusalName =
  | 'InvalidInput'
  | 'Internal'
  | 'NoVault'
  | 'VaultOpen'
  | 'VaultLocked'
  | 'ClockWrong'
  | 'NoRandomness'
  | 'AccountTooLarge'
  | 'LabelTooLong'
  | 'ChainIdInvalid'
  | 'AuthorisationDelivered'
  | 'ChangeNotLast'
  | 'NoChangeToTakeBack'
  | 'LogFull'
  | 'RecordInvalid'
  | 'KeyNotFound'
  | 'FirstKey'
  | 'KeyTypeUnknown'
  | 'TooManyKeys'
  | 'KeyKnown'
  | 'KeyAlgorithm'
  | 'KeyCurve'
  | 'KeyEncrypted'
  | 'KeyHalvesDiffer'
  | 'KeyRsa'
  | 'KeyTextTooLong'
  | 'KeyTypeOfJwk'
  | 'KeyTypeOfPhrase'
  | 'KeyTypeOther'
  | 'KeyWithoutCurve'
  | 'NoKeyAtPath'
  | 'NotJwk'
  | 'NotPkcs8'
  | 'NotPrivateKey'
  | 'OpenSshKey'
  | 'PathInvalid'
  | 'PathNotHardened'
  | 'PathTooLong'
  | 'PathWithoutPhrase'
  | 'PhrasePassphraseTooLong'
  | 'PublicKeyOnly'
  | 'SeveralKeys'
  | 'WordCount'
  | 'WordUnknown'
  | 'WordsDoNotFit'
  | 'DidWithoutKey'
  | 'Deriving'
  | 'NoMemory'
  | 'PassphraseTooLong'
  | 'PassphraseTooShort'
  | 'RecoveryCodeLength'
  | 'RecoveryCodeMistyped'
  | 'WrongPassphrase'
  | 'WrongRecoveryCode'
  | 'WrongPasskey'
  | 'StrongerProofNeeded'
  | 'PasskeyAnswerUsed'
  | 'PasskeyKnown'
  | 'MethodNotFound'
  | 'TooManyMethods'
  | 'PasskeyAlone'
  | 'RecoveryCodeAlone'
  | 'MethodUnusable'
  | 'MethodNewer'
  | 'StateAltered'
  | 'StateDamaged'
  | 'StateNewer'
  | 'KdfParameters'
  | 'KdfUnknown'
  | 'BackupVersion'
  | 'NotBackup'
  | 'BackupDamaged'
  | 'BackupTooLong'
  | 'BackupWithoutPassphrase'
  | 'BackupWithoutRecoveryCode'
  | 'BackupOutOfStep'
  | 'BackupNotVerified'
  | 'ImportOfOtherAccount'
  | 'TooManyMandates'
  | 'TooManyRequests'
  | 'InvalidPayment'
  | 'InvalidMandate'
  | 'UnknownMandate'
  | 'MandateEnded'
  | 'BudgetExceeded'
  | 'MandateSuspended'
  | 'OutsideMandate'
  | 'MalformedToken'
  | 'UnsupportedVersion'
  | 'InvalidSignature'
  | 'Expired'
  | 'TooEarly'
  | 'InvalidAudience'
  | 'InvalidSubject'
  | 'InvalidCommand'
  | 'InvalidClaim'
  | 'UnavailableProof'
  | 'MatchError'
  | 'Revoked'
  | 'RevocationUnknown'
  | 'Replayed'
  | 'TooMuchWork'

/** The particular reason of a refusal. */
export type RefusalReason = Why | MandateWhy

export interface RefusedChange {
  /** Its place in the list, from 0. */
  readonly at: number
  readonly why: string
}

export type RelayCall =
  | {
      readonly append: {
        /** The record's id: the SHA-256 of its bytes. */ readonly record: string
      }
    }
  | {
      readonly read: {
        /** A place in the relay's list, from 1. */ readonly from: number
      }
    }
  | { readonly watch: Readonly<Record<string, never>> }

export interface RemoveUnlockMethodInput {
  readonly method_id: string
  readonly proof: UnlockProofInput
}

export interface RevealPairingAnswer {
  /** For `join_devices`. */
  readonly account: string
  /** Six digits, which must be those on the other device. */
  readonly digits: string
  readonly message: string
  readonly root: string
}

export interface RevisionInput {
  readonly revision: number
}

export interface RevokeInput {
  /** CID of the delegation to revoke. */
  readonly cid: string
  /** The key that signs. */
  readonly key_id?: string | undefined
  /** CIDs from the root to the delegation. */
  readonly path?: readonly string[] | undefined
  /** A delegation of `/ucan/revoke`, for someone who issued nothing in the chain. */
  readonly proof_token?: string | undefined
  /** The chain with the delegation in it. With it, the call checks who may revoke and chooses the right key. */
  readonly token?: string | undefined
}

/** A permission that was taken back, with what a relay needs to know of it. */
export interface RevokedPermission {
  readonly device: string
  readonly revocation: string
  readonly token: string
}

export interface RevokedPermissionsAnswer {
  readonly permissions: readonly RevokedPermission[]
}

export interface SealAnswerAnswer {
  readonly sealed: string
}

export interface SealAnswerInput {
  readonly answer: string
  readonly key: string
  readonly mailbox: string
  readonly request: string
}

export interface SealBackupChunkAnswer {
  readonly chunk: string
}

export interface SealBackupChunkInput {
  readonly contents: unknown
  readonly last: boolean
}

export interface SealRecordsAnswer {
  readonly records: readonly SealedRecord[]
}

export interface SealRecordsInput {
  readonly records: readonly PlainRecord[]
}

/** A line at rest. */
export interface SealedLine {
  /** An `m1` record. */
  readonly sealed: string
  /** Its number. */
  readonly seq: number
}

export interface SealedRecord {
  readonly sealed: string
}

export interface SetPassphraseInput {
  readonly passphrase: string
  readonly proof: UnlockProofInput
}

export interface SignDataAnswer {
  readonly signature: readonly number[]
}

export interface SignDataInput {
  readonly data: Data
  readonly key_id?: string | undefined
}

export interface SignMailboxCallAnswer {
  /** The mailbox's DID, to write to. */
  readonly mailbox: string
  readonly token: string
}

export interface SignMailboxCallInput {
  readonly call: MailboxCall
  /** The code, before `answer_pairing`: its first message has to be read. */
  readonly code?: string | undefined
  /** Which message's mailbox, from 1 to 4. */
  readonly message: number
  /** The relay's DID. */
  readonly relay: string
}

export interface SignRelayCallAnswer {
  /** Seconds since 1970. */
  readonly expires_at: number
  /** For the `Authorization` header, after `Bearer `. */
  readonly token: string
}

export interface SignRelayCallInput {
  readonly call: RelayCall
  /** This device's permission, which pairing gives it. Not needed once it has joined. */
  readonly permission?: string | undefined
  /** The relay's DID: `did:web:` and its host, with `%3A` before a port. */
  readonly relay: string
}

export interface SpendMandateInput {
  /** No person approves it, only the mandate does. */
  readonly by_itself?: boolean | undefined
  readonly cid: string
  readonly minutes?: number | undefined
  readonly payment: AskedPayment
}

/** The status, and the sealed state to store. */
export interface StartDevicesAnswer {
  /** The account's pseudonym at relays, and the id of its first head. Pairing passes both on. */
  readonly account: string
  readonly device: string
  readonly enclave: string
  readonly records: readonly string[]
  readonly root: string
  readonly status: EnclaveStatus
}

export interface StartDevicesInput {
  readonly proof: UnlockProofInput
}

export interface StoredPageInput {
  /** The relay's digest of every record before these. */
  readonly before: string
  readonly records: readonly string[]
}

export interface SuspendMandateInput {
  readonly cid: string
  readonly suspended: boolean
}

export interface TakeRecordsAnswer {
  /** The things that were changed since the device was opened or this was last called; missing if any may have been. */
  readonly changed?: readonly ChangedThing[]
  readonly device: DeviceStatus
  readonly page: string
  /** The ids of those that were stored, or were here already: the others are not to be stored. */
  readonly stored: readonly string[]
}

export interface TakeRecordsInput {
  /** The relay's digest of every record before these; left out if it has fewer. */
  readonly before?: string | undefined
  readonly records: readonly string[]
}

/** A value; `None` if it was deleted, or another device didn't write it as a text. */
export type Text = string | null

/** A refused token as data: the rule, the reason in words, the token, and what the rule expected and found. */
export interface TokenError {
  readonly cid: string | null
  readonly expected?: unknown
  readonly found?: unknown
  readonly message: string
  readonly name: TokenErrorName
  readonly why?: Why
}

/** Why a token is refused: the names of the UCAN 1.0.0 fixtures, and seven of Keyhole's own (`MalformedToken`, `UnsupportedVersion`, `InvalidCommand`, `Revoked`, `RevocationUnknown`, `Replayed`, `TooMuchWork`). */
export type TokenErrorName =
  | 'MalformedToken'
  | 'UnsupportedVersion'
  | 'InvalidSignature'
  | 'Expired'
  | 'TooEarly'
  | 'InvalidAudience'
  | 'InvalidSubject'
  | 'InvalidCommand'
  | 'InvalidClaim'
  | 'UnavailableProof'
  | 'MatchError'
  | 'Revoked'
  | 'RevocationUnknown'
  | 'Replayed'
  | 'TooMuchWork'

export interface UnlockMethod {
  /** Seconds since 1970. */
  readonly created_at: number
  readonly credential?: string
  readonly id: string
  readonly kind: 'passphrase' | 'passkey' | 'recovery_code'
  readonly label?: string
  readonly lanes?: number
  readonly memory_kib?: number
  readonly passes?: number
  readonly relying_party?: string
  readonly salt?: string
}

/** `proof`: exactly one of these. */
export interface UnlockProofInput {
  readonly passkey?: PasskeyAnswer | undefined
  readonly passphrase?: string | undefined
  readonly recovery_code?: string | undefined
}

export interface UnlockVaultAnswer {
  /** Only if there is a new state to store: the passphrase's cost was raised, or mandates were suspended. */
  readonly enclave?: string
  readonly status: EnclaveStatus
}

export interface UnlockVaultInput {
  readonly enclave?: string | undefined
  readonly proof: UnlockProofInput
  /** The state may be older than what was counted: suspends every mandate until it is confirmed. */
  readonly suspend_mandates?: boolean | undefined
}

/** The document of a `did:web` that an answer depends on: another document could give another answer. */
export interface UsedDocument {
  readonly did: string
  /** SHA-256 of the document as it was fetched, base64url. */
  readonly digest: string
}

export interface ValidInvocation {
  /** Left out if they are longer than an answer may be: the caller has them in the token. */
  readonly args?: Readonly<Record<string, unknown>>
  readonly chain: readonly ChainLink[]
  readonly cid: string
  readonly command: string
  readonly documents?: readonly UsedDocument[]
  readonly expires_at: number | null
  readonly issuer: string
  readonly subject: string
  readonly task: string
  readonly valid: true
}

export interface ValidToken {
  /** Address of the leaf's audience. */
  readonly address: string
  readonly chain: readonly ChainLink[]
  readonly documents?: readonly UsedDocument[]
  readonly effective: EffectiveDelegation
  /** The chain as a container text, without anything else in the input. */
  readonly token: string
  readonly valid: true
}

export interface ValidateBatchAnswer {
  readonly results: readonly ValidationResult[]
}

export interface ValidateBatchInput {
  /** DID of the verifier: the invocation must be addressed to it. Default: any audience. */
  readonly audience?: string | undefined
  /** Texts with one invocation each, and any number of delegations. The same checks apply to each. */
  readonly invocations: readonly string[]
  /** Seconds since 1970. Default: the host's clock. */
  readonly now?: number | undefined
  /** More texts with proofs, which an invocation's text may leave out. */
  readonly proofs?: readonly string[] | undefined
  /** Texts of revocations. Each takes effect if its issuer may revoke in the chain being checked. */
  readonly revocations?: readonly string[] | undefined
  /** CIDs that the caller knows to be revoked: delegations under them are refused. */
  readonly revoked?: readonly string[] | undefined
  /** CIDs of invocations that were accepted before: they are refused as `Replayed`. */
  readonly seen?: readonly string[] | undefined
  /** Seconds of clock difference allowed. Default 60. */
  readonly skew?: number | undefined
}

export interface ValidateInvocationInput {
  /** DID of the verifier: the invocation must be addressed to it. Default: any audience. */
  readonly audience?: string | undefined
  /** One invocation, and any number of delegations. */
  readonly invocation: string
  /** Seconds since 1970. Default: the host's clock. */
  readonly now?: number | undefined
  /** More texts with proofs, which an invocation's text may leave out. */
  readonly proofs?: readonly string[] | undefined
  /** Texts of revocations. Each takes effect if its issuer may revoke in the chain being checked. */
  readonly revocations?: readonly string[] | undefined
  /** CIDs that the caller knows to be revoked: delegations under them are refused. */
  readonly revoked?: readonly string[] | undefined
  /** CIDs of invocations that were accepted before: they are refused as `Replayed`. */
  readonly seen?: readonly string[] | undefined
  /** Seconds of clock difference allowed. Default 60. */
  readonly skew?: number | undefined
}

export type ValidationResult =
  | ValidInvocation
  | { readonly documents?: readonly UsedDocument[]; readonly error: TokenError; readonly valid: false }

/** The codes that the vault answers with. */
export type VaultErrorCode =
  | 'VAULT_NOT_INITIALIZED'
  | 'VAULT_ALREADY_INITIALIZED'
  | 'VAULT_LOCKED'
  | 'KEY_NOT_FOUND'
  | 'INVALID_KEY_TYPE'
  | 'INVALID_PASSPHRASE'
  | 'OPERATION_FAILED'

/** An answer with nothing but the status. */
export interface VaultStatus {
  readonly status: EnclaveStatus
}

export interface VerifyDataAnswer {
  readonly valid: boolean
}

export interface VerifyDataInput {
  readonly data: Data
  readonly did?: string | undefined
  readonly signature: readonly number[]
}

export type VerifyTokenAnswer =
  | ValidToken
  | { readonly documents?: readonly UsedDocument[]; readonly error: TokenError; readonly valid: false }

export interface VerifyTokenInput {
  /** Network of the audience's address. Default: the account's, else keyhole-1. */
  readonly chain_id?: string | undefined
  /** CID of the delegation to verify, if the container leaves it open. */
  readonly leaf?: string | undefined
  /** Seconds since 1970. Default: the host's clock. */
  readonly now?: number | undefined
  /** Texts of revocations. Each takes effect if its issuer may revoke in the chain being checked. */
  readonly revocations?: readonly string[] | undefined
  /** CIDs that the caller knows to be revoked. */
  readonly revoked?: readonly string[] | undefined
  /** Seconds of clock difference allowed. Default 60. */
  readonly skew?: number | undefined
  readonly token: string
}

export interface WarmInput {
  /** Also derives a throw-away key over a mebibyte: an engine optimises code that has run. */
  readonly derives?: boolean | undefined
  readonly memory_kib?: number | undefined
}

/** The particular reason why a token is refused, beside the rule: a name for programs, and a sentence. */
export type Why =
  | 'NoDelegationHere'
  | 'EmptyContainer'
  | 'NoContainer'
  | 'ContainerDamaged'
  | 'ContainerTooLarge'
  | 'LetterAmiss'
  | 'TextTooLong'
  | 'NoToken'
  | 'Jwt'
  | 'AsksForSomething'
  | 'NotToken'
  | 'TokenTooLong'
  | 'NoEnvelope'
  | 'AlgorithmUnknown'
  | 'NoInvocation'
  | 'SeveralInvocations'
  | 'SeveralLeaves'
  | 'SeveralChains'
  | 'Circle'
  | 'NotAmongThese'
  | 'NoProof'
  | 'Powerline'
  | 'CarriedOutBefore'
  | 'EndsBeforeStart'
  | 'KeyNotIssuers'
  | 'AnsweredBefore'
  | 'MayBeAnswered'
  | 'NoPaymentRequest'
  | 'RequestTooLong'
  | 'RevokeNotNamed'

export interface WriteAgainAnswer {
  readonly records: readonly string[]
}

export interface WriteChangesAnswer {
  readonly device: DeviceStatus
  readonly records: readonly string[]
  /** The changes that no trying again will write. */
  readonly refused: readonly RefusedChange[]
}

export interface WriteChangesInput {
  readonly changes: readonly OneChange[]
}
