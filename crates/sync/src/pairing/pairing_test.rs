extern crate std;

use alloc::format;
use alloc::vec;

use data_encoding::HEXLOWER;
use serde_json::{Value, json};

use super::*;
use crate::device_keys::DeviceKeys;
use crate::testing::Stream;

struct Two {
    random: Stream,
    new: NewSide,
    first: Vec<u8>,
    offer: Offer,
}

fn public(keys: &DeviceKeys) -> PublicKeys {
    PublicKeys {
        device: keys.id(),
        sealing: keys.sealing(),
    }
}

fn two() -> Two {
    let mut random = Stream::new();
    let [new, old] = [(); 2].map(|()| public(&DeviceKeys::make(&mut random).unwrap()));
    let offer = Offer {
        account: AccountId([7; 32]),
        root: RecordId([8; 32]),
        by: old,
    };
    let (new, first) = NewSide::begin(new, &mut random).unwrap();
    Two {
        random,
        new,
        first,
        offer,
    }
}

impl Two {
    fn answer(&mut self) -> (OldSide, Vec<u8>) {
        let code = self.new.code().clone();
        OldSide::answer(code, self.offer, &self.first, &mut self.random).unwrap()
    }
}

#[test]
fn both_learn_the_others_keys_and_show_the_same_digits() {
    let mut two = two();
    let (mut old, second) = two.answer();
    let early = old.welcome(b"early", &mut two.random);
    assert_eq!(early, Err(SyncError::PairingOutOfStep));
    assert_eq!(two.new.welcomed(&second), Err(SyncError::PairingOutOfStep));
    let (third, offer, shown) = two.new.reveal(&second, &mut two.random).unwrap();
    assert_eq!(offer, two.offer);
    let (keys, digits) = old.check(&third).unwrap();
    assert_eq!(keys, two.new.keys);
    assert_eq!(digits, shown);
    assert!(digits.0 < 1_000_000);
    let last = old.welcome(b"permission", &mut two.random).unwrap();
    let text = two.new.welcomed(&last).unwrap();
    assert_eq!(text.as_slice(), b"permission");
}

#[test]
fn each_side_answers_once() {
    let mut two = two();
    let (mut old, second) = two.answer();
    let (_, other) = two.answer();
    let (third, ..) = two.new.reveal(&second, &mut two.random).unwrap();
    for message in [&second, &other] {
        let again = two.new.reveal(message, &mut two.random);
        assert_eq!(again.err(), Some(SyncError::PairingOutOfStep));
    }
    old.check(&third).unwrap();
    assert_eq!(old.check(&third).err(), Some(SyncError::PairingOutOfStep));
}

/// It knows the code: someone photographed it. It can only make one attempt for each code.
#[test]
fn who_stands_between_has_digits_that_differ() {
    let mut same = 0;
    let mut two = two();
    for _ in 0..200 {
        let code = two.new.code().clone();
        let stranger = public(&DeviceKeys::make(&mut two.random).unwrap());
        // Towards the old device, it is the new one.
        let (mut posing, _) = NewSide::begin(stranger, &mut two.random).unwrap();
        posing.code = code.clone();
        let first = code
            .seal(COMMIT, &commit(&posing.revealed()), &mut two.random)
            .unwrap();
        let (mut old, second) =
            OldSide::answer(code.clone(), two.offer, &first, &mut two.random).unwrap();
        let (third, _, _) = posing.reveal(&second, &mut two.random).unwrap();
        let (keys, at_old) = old.check(&third).unwrap();
        assert_eq!(keys, stranger);
        // Towards the new device, it is the old one.
        let posed = Offer {
            by: stranger,
            ..two.offer
        };
        let (_, second) = OldSide::answer(code, posed, &two.first, &mut two.random).unwrap();
        let mut new = NewSide {
            code: two.new.code().clone(),
            ..two.new
        };
        let (_, _, at_new) = new.reveal(&second, &mut two.random).unwrap();
        same += u32::from(at_old == at_new);
    }
    assert_eq!(same, 0);
}

#[test]
fn keys_that_were_not_committed_to_are_refused() {
    let mut two = two();
    let (mut old, second) = two.answer();
    two.new.reveal(&second, &mut two.random).unwrap();
    let mut other = two.new.revealed();
    for at in [0, 32, 64, 95] {
        other[at] ^= 1;
        let code = two.new.code().clone();
        let forged = code.seal(REVEAL, &other, &mut two.random).unwrap();
        assert_eq!(old.check(&forged).err(), Some(SyncError::PairingRefused));
        // There is no second attempt.
        assert_eq!(old.check(&forged).err(), Some(SyncError::PairingOutOfStep));
        old.has_checked = false;
        other[at] ^= 1;
    }
}

#[test]
fn what_is_not_a_message_of_this_pairing_is_refused() {
    let mut two = two();
    let (_, second) = two.answer();
    let mut stranger = self::two();
    stranger.new.code = Code(Zeroizing::new([9; CODE_LENGTH]));
    let mut damaged = second.clone();
    damaged[40] ^= 1;
    let hostile = [
        Vec::new(),
        vec![0; 23],
        vec![0; 24],
        vec![0; MAX_MESSAGE],
        vec![0; MAX_MESSAGE + 1],
        second[..second.len() - 1].to_vec(),
        [&second[..], &[0]].concat(),
        damaged,
        // Its own first message, sent back to it.
        two.first.clone(),
    ];
    for message in &hostile {
        let refused = two.new.reveal(message, &mut two.random);
        assert_eq!(refused.err(), Some(SyncError::PairingRefused));
        if *message != two.first {
            let code = two.new.code().clone();
            let refused = OldSide::answer(code, two.offer, message, &mut two.random);
            assert_eq!(refused.err(), Some(SyncError::PairingRefused));
        }
    }
    let other = stranger.new.reveal(&second, &mut two.random);
    assert_eq!(other.err(), Some(SyncError::PairingRefused));
    // Sealed under the right code, with another length.
    for length in [0, 31, 96, 159, 161, 192] {
        let code = two.new.code().clone();
        let message = code.seal(OFFER, &vec![1; length], &mut two.random).unwrap();
        let refused = two.new.reveal(&message, &mut two.random);
        assert_eq!(refused.err(), Some(SyncError::PairingRefused), "{length}");
    }
    // None of it used up the one attempt.
    assert!(two.new.reveal(&second, &mut two.random).is_ok());
}

#[test]
fn every_message_has_a_mailbox_of_its_own() {
    let two = two();
    let boxes = (1..=MESSAGES).map(|message| {
        let key = two.new.code().mailbox(message).unwrap();
        format!("{:?}", key.public_key())
    });
    let mut boxes: Vec<_> = boxes.collect();
    boxes.sort();
    boxes.dedup();
    assert_eq!(boxes.len(), 4);
    for none in [0, MESSAGES + 1, u8::MAX] {
        let refused = two.new.code().mailbox(none);
        assert_eq!(refused.err(), Some(SyncError::PairingOutOfStep));
    }
}

const PATH: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../vectors/keyhole/pairing-v1.json"
);

fn conversation() -> Value {
    let mut two = two();
    let (mut old, second) = two.answer();
    let (third, offer, digits) = two.new.reveal(&second, &mut two.random).unwrap();
    let (keys, _) = old.check(&third).unwrap();
    let last = old.welcome(b"permission", &mut two.random).unwrap();
    let code = two.new.code();
    let messages = [&two.first, &second, &third, &last];
    let messages = (1..).zip(messages).map(|(number, message)| {
        let mailbox = code.mailbox(number).unwrap().public_key().to_multicodec();
        json!({
            "mailbox": HEXLOWER.encode(&mailbox[2..]),
            "text": HEXLOWER.encode(&code.open(number, message).unwrap()),
            "message": HEXLOWER.encode(message),
        })
    });
    json!({
        "from": "crates/sync/src/pairing/pairing_test.rs, from its stream of bytes",
        "code": HEXLOWER.encode(&code.0[..]),
        "account": HEXLOWER.encode(&offer.account.0),
        "root": HEXLOWER.encode(&offer.root.0),
        "old": {
            "device": HEXLOWER.encode(&offer.by.device.0),
            "sealing": HEXLOWER.encode(&offer.by.sealing.0),
        },
        "new": {
            "device": HEXLOWER.encode(&keys.device.0),
            "sealing": HEXLOWER.encode(&keys.sealing.0),
        },
        "messages": messages.collect::<Vec<_>>(),
        "digits": format!("{:06}", digits.0),
    })
}

#[test]
fn a_conversation_is_the_same_to_the_byte() {
    let actual = conversation();
    if std::env::var_os("KEYHOLE_WRITE_VECTORS").is_some() {
        let text = serde_json::to_string_pretty(&actual).unwrap();
        std::fs::write(PATH, text + "\n").unwrap();
    }
    let vector: Value = serde_json::from_str(&std::fs::read_to_string(PATH).unwrap()).unwrap();
    assert_eq!(vector, actual);
}
