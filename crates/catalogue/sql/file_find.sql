SELECT id, name, bytes, sha256, accepted_us FROM file WHERE name = $1
