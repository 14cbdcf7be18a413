// What a malicious relay may do, by the classes of attacks on password managers that researchers of ETH Zurich and USI published in February
// 2026 (“Zero Knowledge (About) Encryption”): each has a test, which is run.
import { expect } from '../measure.mjs'
import { passed } from './run-tests.mjs'

const SYNC = 'crates/sync/src'
const VAULT = 'packages/vault/src/sync'

/** @type {readonly {name: string, file: string, title: string}[]} */
export const ATTACKS = [
  {
    name: 'key escrow and recovery: the relay has its own account opened, or its own key sealed to',
    file: 'crates/enclave/tests/calls/recovery.rs',
    title: 'a_relay_that_shows_another_account_gives_none',
  },
  {
    name: 'key escrow and recovery: what is stored for a recovery code is replaced',
    file: `${SYNC}/recovery/recovery_test.rs`,
    title: 'whatever_else_a_relay_has_there_is_not_read',
  },
  {
    name: 'public keys are swapped while a device is added',
    file: `${SYNC}/pairing/pairing_test.rs`,
    title: 'who_stands_between_has_digits_that_differ',
  },
  {
    name: 'a device is added by the relay',
    file: `${SYNC}/device_test.rs`,
    title: 'a_record_of_another_account_or_of_a_stranger_changes_nothing',
  },
  {
    name: 'accounts or devices are swapped',
    file: `${SYNC}/device_test.rs`,
    title: 'a_record_of_another_account_or_of_a_stranger_changes_nothing',
  },
  {
    name: 'fields or items are changed, cut and pasted',
    file: `${SYNC}/device_test.rs`,
    title: 'a_record_with_any_byte_changed_is_refused_and_one_that_comes_twice_changes_nothing',
  },
  {
    name: 'items are dropped',
    file: `${SYNC}/device_test.rs`,
    title: 'what_a_relay_withholds_is_named_by_who_has_read_it',
  },
  {
    name: 'items are replayed, reordered or damaged, and mixed with those of others',
    file: `${VAULT}/hostile-relay.test.ts`,
    title: 'that repeats, reorders and damages records, and mixes in those of others, changes nothing',
  },
  {
    name: 'the vault is rolled back',
    file: `${SYNC}/device_test.rs`,
    title: 'a_relay_that_goes_back_is_noticed_and_gets_everything_again',
  },
  {
    name: 'devices are shown different histories',
    file: `${SYNC}/device_test.rs`,
    title: 'heads_that_a_relay_kept_apart_become_one_and_both_removals_hold',
  },
  {
    name: 'a removed device is kept in',
    file: `${SYNC}/device_test.rs`,
    title: 'a_removed_device_reads_nothing_more_and_what_it_writes_does_not_count',
  },
  {
    name: 'a change is said to be in force that isn’t',
    file: `${VAULT}/hostile-relay.test.ts`,
    title: 'that says it has what it was sent, and shows nothing of it, doesn’t count as having it',
  },
  {
    name: 'the passphrase is made cheaper to guess (iterations lowered)',
    file: 'crates/vault/src/vault/sealed_state_test.rs',
    title: 'a_lower_cost_does_not_open_and_an_impossible_one_is_refused_at_once',
  },
  {
    name: 'downgrade to an older format',
    file: 'crates/vault/src/vault/sealed_state_test.rs',
    title: 'a_state_under_the_name_of_another_format_does_not_open',
  },
  {
    name: 'downgrade of records',
    file: `${SYNC}/hostile_test.rs`,
    title: 'only_what_a_device_would_write_in_one_operation_is_read',
  },
  {
    name: 'metadata in the clear: names, addresses, lengths',
    file: `${SYNC}/device_test.rs`,
    title: 'a_relay_sees_no_text_and_few_lengths',
  },
  {
    name: 'a device is filled, or kept from writing',
    file: `${SYNC}/hostile_test.rs`,
    title: 'strangers_cannot_use_up_the_room_of_devices',
  },
]

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const done = await passed(ATTACKS)
  const failed = ATTACKS.filter(({ title }) => !done.has(title))
  expect(failed.length === 0, `these did not pass: ${failed.map(({ title }) => title).join(', ')}`)
  return [
    {
      title: 'Attacks of a malicious relay that are detected or change nothing, by their test',
      note: ATTACKS.map(({ name, file, title }) => `- ${name}: \`${file}\` › ${title}`).join('\n'),
      rows: [{ name: `classes, of ${ATTACKS.length}`, unit: '', value: ATTACKS.length - failed.length }],
    },
  ]
}
