//! The log: nobody changes it unnoticed, and a signed checkpoint proves that to others.

use std::fs;
use std::process::Command;

use data_encoding::BASE64;

use super::world::{World, told};

#[test]
fn a_log_that_was_made_anew_is_found_out_by_a_checkpoint() {
    let world = World::new();
    world.put("one.txt", b"one");
    world.ok(&["vault", "log", "checkpoint", "-o", "../checkpoint"]);
    let public = world.ok(&["vault", "log", "checkpoint", "--public"]);
    world.put("two.txt", b"two");
    let checked = ["vault", "log", "verify", "--checkpoint", "../checkpoint"];
    assert!(world.ok(&checked).contains("is the one that"));
    // Somebody begins the whole log anew: by itself it is sound, but not what was signed.
    for name in ["catalogue.db", "catalogue.db-wal", "catalogue.db-shm"] {
        let _ = fs::remove_file(world.at("archive").join(name));
    }
    world.ok(&["rebuild"]);
    world.ok(&["vault", "log", "verify"]);
    let output = world.run(&checked).output();
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("broken"), "{}", told(&output));
    // Whoever has only the public key finds it out, too; with another key nothing is proved.
    fs::remove_file(world.at("archive/vault.key")).unwrap();
    let with_key = [&checked[..], &["--key", public.trim()]].concat();
    assert_eq!(world.run(&with_key).output().status.code(), Some(1));
    let other = world.ok(&["vault", "log", "checkpoint", "--public"]);
    let output = world.run(&[&checked[..], &["--key", other.trim()]].concat()).output();
    assert!(told(&output).contains("proves nothing"), "{}", told(&output));
}

/// The signature is checked by OpenSSL, which knows nothing of us.
#[test]
fn a_checkpoint_is_signed_as_others_understand_it() {
    let world = World::new();
    world.put("one.txt", b"one");
    let note = world.ok(&["vault", "log", "checkpoint"]);
    let public = world.ok(&["vault", "log", "checkpoint", "--public"]);
    let (body, signature) = note.split_once("\n\n").unwrap();
    let signature = BASE64.decode(signature.trim().rsplit(' ').next().unwrap().as_bytes()).unwrap();
    let key = BASE64.decode(public.trim().splitn(3, '+').nth(2).unwrap().as_bytes()).unwrap();
    assert_eq!((key[0], key.len(), signature.len()), (1, 33, 68));
    // The head of an Ed25519 key in DER.
    let der = [&[0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00], &key[1..]].concat();
    let pem = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", BASE64.encode(&der));
    fs::write(world.at("key.pem"), pem).unwrap();
    fs::write(world.at("signature"), &signature[4..]).unwrap();
    fs::write(world.at("body"), format!("{body}\n")).unwrap();
    let openssl = Command::new("openssl")
        .args([
            "pkeyutl",
            "-verify",
            "-pubin",
            "-inkey",
            "key.pem",
            "-rawin",
            "-in",
            "body",
            "-sigfile",
            "signature",
        ])
        .current_dir(world.folder.path())
        .output();
    let Ok(openssl) = openssl else {
        eprintln!("openssl is not here: the signature is not checked by it");
        return;
    };
    assert!(told(&openssl).contains("Verified Successfully"), "{}", told(&openssl));
}

#[test]
fn the_catalogue_is_copied_while_it_is_used() {
    let world = World::new();
    world.put("one.txt", b"one");
    let path = world.ok(&["vault", "backup"]);
    assert!(world.at("archive").join(path.trim()).is_file(), "{path}");
    world.ok(&["vault", "backup", "../copy.db"]);
    let again = world.run(&["vault", "backup", "../copy.db"]).output();
    assert!(told(&again).contains("is there already"), "{}", told(&again));
}
