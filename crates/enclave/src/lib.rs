//! The Extism plugin: JSON in, JSON out, one thin export a function: decode, core, encode.
//!
//! A refusal is a value, `{"error", "code"}`; a trap is a defect. `docs/enclave.md` describes every export.

pub mod call;
pub mod host;
pub mod refusal;
pub mod vault;

mod activity;
mod backup;
mod checks;
mod data;
mod evaluate;
mod foreign_keys;
mod invocations;
mod keys;
mod lifecycle;
mod methods;
pub mod output;
mod payments;
#[cfg(target_arch = "wasm32")]
mod plugin;
mod primitives;
mod proof;
mod records;
mod secret;
mod status;
mod tokens;
mod validate;
mod verify;

use call::exports;

exports! {
    up to SHORT {
        create_vault => lifecycle::create,
        open_vault => lifecycle::open,
        unlock_vault => lifecycle::unlock,
        lock_vault => lifecycle::lock,
        close_vault => lifecycle::close,
        vault_status => lifecycle::show_status,
        rollback_vault => lifecycle::roll_back,
        warm => lifecycle::warm,

        list_keys => keys::list,
        generate_key => keys::generate,
        preview_key => foreign_keys::preview,
        import_key => foreign_keys::import,
        label_key => keys::label,
        label_vault => keys::label_vault,
        delete_key => keys::delete,
        set_default_key => keys::set_default,
        list_unlock_methods => methods::list,
        set_passphrase => methods::set_passphrase,
        add_passkey => methods::add_passkey,
        new_recovery_code => methods::new_recovery_code,
        remove_unlock_method => methods::remove,
        label_unlock_method => methods::label,

        seal_records => records::seal,
        open_records => records::open,
        log_activity => activity::log,

        new_origin_token => tokens::new_origin,
        new_attenuated_token => tokens::new_attenuated,
        inspect_token => verify::inspect,
        verify_token => verify::verify,
        validate_invocation => validate::one,
        validate_batch => validate::batch,
        evaluate_policy => evaluate::evaluate,
        invoke => invocations::invoke,
        revoke => invocations::revoke,
        issue_receipt => invocations::issue_receipt,
        get_issuer_did => data::issuer,

        check_payment => payments::check,
        authorize_payment => payments::authorize,
        make_mandate => payments::make,
        list_mandates => payments::list,
        spend_mandate => payments::spend,
        countersign_payment => payments::countersign,
        suspend_mandate => payments::suspend,
        end_mandate => payments::end,

        primitive => primitives::run,
    }
    up to LONG {
        export_vault => backup::export,
        import_vault => backup::import,
        read_backup => backup::read,
        check_backup => backup::check,
        read_activity => activity::read,
        sign_data => data::sign,
        verify_data => data::verify,
    }
}
