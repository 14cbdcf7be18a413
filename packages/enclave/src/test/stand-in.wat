;; A plugin with some of the exports, which behave as a test needs. Assembled by Binaryen's wasm-as.
(module
  (import "extism:host/env" "input_length" (func $input_length (result i64)))
  (import "extism:host/env" "input_load_u8" (func $input_load_u8 (param i64) (result i32)))
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store_u8 (param i64 i32)))
  (import "extism:host/env" "output_set" (func $output_set (param i64 i64)))
  (memory (export "memory") 1)
  ;; returns its input, and counts its calls at address 0
  (func $echo (result i32)
    (local $at i64) (local $length i64) (local $block i64)
    (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
    (local.set $length (call $input_length))
    (local.set $block (call $alloc (local.get $length)))
    (block $done
      (loop $next
        (br_if $done (i64.ge_u (local.get $at) (local.get $length)))
        (call $store_u8 (i64.add (local.get $block) (local.get $at)) (call $input_load_u8 (local.get $at)))
        (local.set $at (i64.add (local.get $at) (i64.const 1)))
        (br $next)))
    (call $output_set (local.get $block) (local.get $length))
    (i32.const 0))
  (export "verify_token" (func $echo))
  (export "unlock_vault" (func $echo))
  (export "open_vault" (func $echo))
  ;; never ends
  (func (export "inspect_token") (result i32) (loop $forever (br $forever)) (unreachable))
  ;; traps
  (func $trap (result i32) (unreachable))
  (export "list_keys" (func $trap))
  (export "evaluate_policy" (func $trap))
  ;; returns nothing
  (func (export "vault_status") (result i32) (i32.const 0))
  (func (export "warm") (result i32) (i32.const 0))
)
