//! The list of exports: of each its name, what the host has to know of it, and its function. One file a family.

mod activity;
mod backup;
mod data;
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

use crate::export::exports;
#[cfg(feature = "primitives")]
pub use primitives::EXPORTS as KNOWN_ANSWERS;

exports! {
    up to SHORT {
        create_vault: changes_vault, holds_secrets => lifecycle::create,
        open_vault: changes_vault => lifecycle::open,
        unlock_vault: changes_vault, holds_secrets => lifecycle::unlock,
        lock_vault: changes_vault => lifecycle::lock,
        close_vault: changes_vault => lifecycle::close,
        vault_status => lifecycle::show_status,
        rollback_vault: changes_vault => lifecycle::roll_back,
        warm: keyless => lifecycle::warm,
        pause_derivations => lifecycle::pause_derivations,

        list_keys => keys::list,
        generate_key: changes_vault => keys::generate,
        preview_key: holds_secrets => foreign_keys::preview,
        import_key: changes_vault, holds_secrets => foreign_keys::import,
        label_key: changes_vault => keys::label,
        label_vault: changes_vault => keys::label_vault,
        delete_key: changes_vault => keys::delete,
        set_default_key: changes_vault => keys::set_default,
        list_unlock_methods => methods::list,
        set_passphrase: changes_vault, holds_secrets => methods::set_passphrase,
        add_passkey: changes_vault, holds_secrets => methods::add_passkey,
        new_recovery_code: changes_vault, holds_secrets => methods::new_recovery_code,
        remove_unlock_method: changes_vault, holds_secrets => methods::remove,
        label_unlock_method: changes_vault => methods::label,

        seal_records: holds_secrets => records::seal,
        open_records => records::open,
        log_activity: changes_vault => activity::log,

        new_origin_token => tokens::new_origin,
        new_attenuated_token: strangers(parent_token) => tokens::new_attenuated,
        inspect_token: keyless, strangers(token) => verify::inspect,
        verify_token: keyless, strangers(token, revocations) => verify::verify,
        validate_invocation: keyless, strangers(invocation, proofs, revocations) => validate::one,
        validate_batch: keyless, strangers(invocations, proofs, revocations) => validate::batch,
        evaluate_policy: keyless => evaluate::evaluate,
        invoke: strangers(proof_token) => invocations::invoke,
        revoke: strangers(proof_token, token) => invocations::revoke,
        issue_receipt => invocations::issue_receipt,
        get_issuer_did => data::issuer,

        check_payment: keyless => payments::check,
        authorize_payment => payments::authorize,
        make_mandate: changes_vault => payments::make,
        list_mandates => payments::list,
        spend_mandate: changes_vault => payments::spend,
        countersign_payment: changes_vault, strangers(request, revocations) => payments::countersign,
        suspend_mandate: changes_vault => payments::suspend,
        end_mandate: changes_vault => payments::end,
        settle_payment => lifecycle::settle,

        begin_export: holds_secrets => backup::begin_export,
        seal_backup_chunk: holds_secrets => backup::seal_chunk,
        open_backup_chunk => backup::open_chunk,
        finish_import: changes_vault, holds_secrets => backup::finish_import,
        end_backup => backup::end,
    }
    up to LONG {
        export_vault: holds_secrets => backup::export,
        import_vault: changes_vault, holds_secrets => backup::import,
        begin_import: holds_secrets => backup::begin_import,
        read_backup: keyless => backup::read,
        check_backup: holds_secrets => backup::check,
        read_activity => activity::read,
        sign_data => data::sign,
        verify_data => data::verify,
    }
}
