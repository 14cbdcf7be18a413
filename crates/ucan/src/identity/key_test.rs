use super::*;
use alloc::vec;

const TYPES: [KeyType; 3] = [KeyType::Ed25519, KeyType::P256, KeyType::Secp256k1];

#[test]
fn signs_and_verifies_with_each_type() {
    for key_type in TYPES {
        let key = SecretKey::from_bytes(key_type, &[7; 32]).unwrap();
        let public = PublicKey::from_multicodec(&key.public_key().to_multicodec()).unwrap();
        let signature = key.sign(b"door");
        assert!(public.verify(b"door", &signature));
        assert!(!public.verify(b"doors", &signature));
        assert!(!public.verify(b"door", &signature[..63]));
        assert_eq!(key.expose().as_slice(), [7; 32]);
    }
}

#[test]
fn a_message_in_parts_is_the_message() {
    let long = vec![7; 3 * PIECE + 5];
    let parts: [&[u8]; 4] = [b"", &long[..1], &long[1..PIECE + 2], &long[PIECE + 2..]];
    for key_type in TYPES {
        let key = SecretKey::from_bytes(key_type, &[7; 32]).unwrap();
        let signature = key.sign(&long);
        assert_eq!(key.sign_parts(&parts), signature);
        assert!(key.public_key().verify_parts(&parts, &signature));
        assert!(!key.public_key().verify_parts(&parts[..3], &signature));
    }
}

#[test]
fn refuses_high_s() {
    let key = SecretKey::from_bytes(KeyType::P256, &[7; 32]).unwrap();
    let low = p256_ecdsa::Signature::from_slice(&key.sign(b"door")).unwrap();
    let high = p256_ecdsa::Signature::from_scalars(low.r(), -low.s()).unwrap();
    assert!(!key.public_key().verify(b"door", &high.to_bytes()));
    let key = SecretKey::from_bytes(KeyType::Secp256k1, &[7; 32]).unwrap();
    let low = k256_ecdsa::Signature::from_slice(&key.sign(b"door")).unwrap();
    let high = k256_ecdsa::Signature::from_scalars(low.r(), -low.s()).unwrap();
    assert!(!key.public_key().verify(b"door", &high.to_bytes()));
}

#[test]
fn refuses_scalars_out_of_range_and_draws_again() {
    for key_type in [KeyType::P256, KeyType::Secp256k1] {
        assert_eq!(
            SecretKey::from_bytes(key_type, &[0; 32]).err(),
            Some(KeyError::Invalid)
        );
        assert_eq!(
            SecretKey::from_bytes(key_type, &[0xff; 32]).err(),
            Some(KeyError::Invalid)
        );
        let mut draws = 0;
        let key = SecretKey::make(key_type, (), |out| {
            out.fill(if draws == 0 { 0xff } else { 9 });
            draws += 1;
            Ok(())
        });
        assert_eq!(key.unwrap().expose().as_slice(), [9; 32]);
        assert!(SecretKey::make(key_type, (), |_| Ok(())).is_err());
    }
}

#[test]
fn refuses_uncompressed_points_and_unknown_prefixes() {
    let key = SecretKey::from_bytes(KeyType::P256, &[7; 32]).unwrap();
    let PublicKey::P256(point) = key.public_key() else {
        unreachable!()
    };
    let mut uncompressed = KeyType::P256.multicodec().to_vec();
    uncompressed.extend_from_slice(point.to_sec1_point(false).as_bytes());
    assert_eq!(
        PublicKey::from_multicodec(&uncompressed).err(),
        Some(KeyError::Invalid)
    );
    assert_eq!(
        PublicKey::from_multicodec(&[0x12, 0x20, 0]).err(),
        Some(KeyError::UnknownType)
    );
    assert_eq!(
        PublicKey::from_multicodec(&[0xed]).err(),
        Some(KeyError::UnknownType)
    );
}

#[test]
fn refuses_a_second_encoding_of_an_ed25519_point() {
    // y = p + k is y = k written non-canonically; those of k in 0..19 that are points, with either sign of x.
    for k in 0..19u8 {
        for sign in [0x7f, 0xff] {
            let mut bytes = [0xff; 34];
            bytes[..2].copy_from_slice(&[0xed, 0x01]);
            bytes[2] = 0xed + k;
            bytes[33] = sign;
            assert_eq!(
                PublicKey::from_multicodec(&bytes).err(),
                Some(KeyError::Invalid)
            );
        }
    }
    // p − 1 is canonical, though of small order.
    let mut largest = [0xff; 32];
    largest[0] = 0xec;
    largest[31] = 0x7f;
    assert!(ed25519::is_canonical(&largest));
}

#[test]
fn refuses_ed25519_points_of_small_order() {
    let order_8 = data_encoding::HEXLOWER
        .decode(b"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
        .unwrap();
    let mut identity = [0; 32];
    identity[0] = 1;
    for point in [&order_8[..], &identity, &[0; 32]] {
        let bytes = [&[0xed, 0x01], point].concat();
        assert_eq!(
            PublicKey::from_multicodec(&bytes).err(),
            Some(KeyError::Invalid)
        );
    }
}

#[test]
fn debug_says_nothing() {
    let key = SecretKey::from_bytes(KeyType::Ed25519, &[0x41; 32]).unwrap();
    assert_eq!(alloc::format!("{key:?}"), "SecretKey(ed25519, …)");
}
