//! The list of exports: each one's name, what the host must know about it, its function, and what it may refuse besides
//! the refusals of every call. One file per family.

mod activity;
mod answers;
mod backup;
mod data;
#[cfg(feature = "devices")]
mod devices;
mod evaluate;
mod foreign_keys;
mod invocations;
mod keys;
mod lifecycle;
mod methods;
mod payments;
#[cfg(feature = "primitives")]
mod primitives;
mod records;
mod tokens;
mod validate;
mod verify;

use crate::export_macro::exports;
#[cfg(feature = "devices")]
pub use devices::EXPORTS as DEVICE_EXPORTS;
#[cfg(feature = "primitives")]
pub use primitives::EXPORTS as KNOWN_ANSWERS;

exports! {
    up to SHORT {
        create_vault: changes_vault, holds_secrets => lifecycle::create [CREATION, NEW_PASSPHRASE, NEW_PASSKEY, METHOD_RULE, KEY_TEXT, LABEL],
        open_vault: changes_vault => lifecycle::open [STATE, ACCOUNT_OPEN],
        unlock_vault: changes_vault, holds_secrets => lifecycle::unlock [ACCOUNT, UNLOCK_PROOF, STATE, ACCOUNT_OPEN, CHANGE],
        lock_vault: changes_vault => lifecycle::lock [ACCOUNT],
        close_vault: changes_vault => lifecycle::close [],
        vault_status => lifecycle::show_status [],
        rollback_vault: changes_vault => lifecycle::roll_back [ACCOUNT, TAKING_BACK],
        leave_devices: changes_vault => lifecycle::leave_devices [UNLOCKED, CHANGE],
        warm: keyless => lifecycle::warm [DERIVATION],
        pause_derivations => lifecycle::pause_derivations [],

        list_keys => keys::list [ACCOUNT],
        generate_key: changes_vault, for_all_devices(keys) => keys::generate [UNLOCKED, CHANGE, KEY_TYPE, KEY_COUNT, LABEL],
        preview_key: holds_secrets => foreign_keys::preview [KEY_TEXT, CHAIN_ID],
        import_key: changes_vault, holds_secrets, for_all_devices(keys) => foreign_keys::import [UNLOCKED, CHANGE, KEY_TEXT, KEY_KNOWN, KEY_COUNT, LABEL],
        label_key: changes_vault => keys::label [UNLOCKED, CHANGE, KEY, LABEL],
        label_vault: changes_vault => keys::label_vault [UNLOCKED, CHANGE, LABEL],
        delete_key: changes_vault, for_all_devices(keys) => keys::delete [UNLOCKED, CHANGE, KEY, FIRST_KEY],
        set_default_key: changes_vault, for_all_devices(keys) => keys::set_default [UNLOCKED, CHANGE, KEY],
        list_unlock_methods => methods::list [ACCOUNT],
        set_passphrase: changes_vault, holds_secrets, for_all_devices(unlock_methods) => methods::set_passphrase [UNLOCKED, CHANGE, UNLOCK_PROOF, NEW_PASSPHRASE, METHOD_COUNT, METHOD_KEYS],
        add_passkey: changes_vault, holds_secrets, for_all_devices(unlock_methods) => methods::add_passkey [UNLOCKED, CHANGE, UNLOCK_PROOF, NEW_PASSKEY, PASSKEY_KNOWN, METHOD_COUNT, LABEL],
        new_recovery_code: changes_vault, holds_secrets, for_all_devices(unlock_methods) => methods::new_recovery_code [UNLOCKED, CHANGE, UNLOCK_PROOF, STRONGER_UNLOCK_PROOF, METHOD_COUNT, METHOD_KEYS],
        remove_unlock_method: changes_vault, holds_secrets, for_all_devices(unlock_methods) => methods::remove [UNLOCKED, CHANGE, UNLOCK_PROOF, STRONGER_UNLOCK_PROOF, METHOD, METHOD_RULE, METHOD_KEYS],
        label_unlock_method: changes_vault => methods::label [UNLOCKED, CHANGE, METHOD, LABEL],

        seal_records: holds_secrets => records::seal [UNLOCKED, RANDOMNESS],
        open_records => records::open [UNLOCKED, RECORD],
        log_activity: changes_vault => activity::log [UNLOCKED, CHANGE, LOG],
        read_activity => activity::read [UNLOCKED],

        new_origin_token => tokens::new_origin [UNLOCKED, CLOCK, RANDOMNESS, KEY, FIELD, ISSUED],
        new_attenuated_token: strangers(parent_token) => tokens::new_attenuated [UNLOCKED, CLOCK, RANDOMNESS, KEY, TOKEN, CHAIN],
        inspect_token: keyless, strangers(token) => verify::inspect [TOKEN],
        check_tokens: keyless, strangers(tokens) => verify::check [WORK],
        verify_token: keyless, strangers(token, revocations) => verify::verify [CLOCK, TOKEN, CHAIN_ID],
        validate_invocation: keyless, strangers(invocation, proofs, revocations) => validate::one [CLOCK, TOKEN],
        validate_batch: keyless, strangers(invocations, proofs, revocations) => validate::batch [CLOCK, TOKEN],
        evaluate_policy: keyless => evaluate::evaluate [FIELD],
        invoke: strangers(proof_token) => invocations::invoke [UNLOCKED, CLOCK, RANDOMNESS, KEY, TOKEN, CHAIN, ARGUMENTS],
        revoke: strangers(proof_token, token) => invocations::revoke [UNLOCKED, CLOCK, KEY, TOKEN, CHAIN, ARGUMENTS],
        issue_receipt => invocations::issue_receipt [UNLOCKED, CLOCK, RANDOMNESS, KEY, FIELD],
        get_issuer_did => data::issuer [ACCOUNT],
        seal_answer: keyless => answers::seal [RANDOMNESS],

        check_payment: keyless => payments::check [PAYMENT],
        authorize_payment => payments::authorize [UNLOCKED, CLOCK, RANDOMNESS, KEY, PAYMENT],
        make_mandate: changes_vault => payments::make [UNLOCKED, CHANGE, KEY, FIELD, PAYMENT, TERMS, ISSUED, MANDATE_COUNT],
        list_mandates => payments::list [UNLOCKED, CLOCK],
        spend_mandate: changes_vault => payments::spend [UNLOCKED, CHANGE, PAYMENT, MANDATE, SPENDING],
        countersign_payment: changes_vault, strangers(request, revocations) => payments::countersign [UNLOCKED, CHANGE, TOKEN, CHAIN, REVOKED, ARGUMENTS, REPLAYED, PAYMENT, MANDATE, SPENDING, REQUEST_COUNT],
        suspend_mandate: changes_vault => payments::suspend [UNLOCKED, CHANGE, MANDATE, MANDATE_OVER],
        end_mandate: changes_vault => payments::end [UNLOCKED, CHANGE, MANDATE],
        settle_payment => lifecycle::settle [ACCOUNT],

        begin_export: holds_secrets => backup::begin_export [UNLOCKED, CLOCK, RANDOMNESS, UNLOCK_PROOF, STRONGER_UNLOCK_PROOF, NEW_PASSPHRASE, BACKUP_WRITING, METHOD_KEYS],
        seal_backup_chunk: holds_secrets => backup::seal_chunk [UNLOCKED, RANDOMNESS, BACKUP_STEP],
        open_backup_chunk => backup::open_chunk [BACKUP_STEP, BACKUP_PART],
        finish_import: changes_vault, holds_secrets => backup::finish_import [TAKING_IN, CHANGE, NEW_PASSPHRASE, BACKUP_STEP],
        end_backup => backup::end [],
    }
    up to LONG {
        export_vault: holds_secrets => backup::export [UNLOCKED, CLOCK, RANDOMNESS, UNLOCK_PROOF, STRONGER_UNLOCK_PROOF, NEW_PASSPHRASE, BACKUP_WRITING, METHOD_KEYS],
        import_vault: changes_vault, holds_secrets => backup::import [BACKUP, BACKUP_UNLOCK_PROOF, TAKING_IN, CHANGE, NEW_PASSPHRASE],
        begin_import: holds_secrets => backup::begin_import [LOCKED, BACKUP, BACKUP_UNLOCK_PROOF],
        read_backup: keyless => backup::read [BACKUP],
        check_backup: holds_secrets => backup::check [BACKUP, BACKUP_UNLOCK_PROOF],
    }
    up to DATA {
        sign_data => data::sign [UNLOCKED, KEY],
        verify_data => data::verify [ACCOUNT, DID_KEY],
    }
}
