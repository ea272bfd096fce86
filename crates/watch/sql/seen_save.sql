INSERT INTO seen (person, resource, version, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (person, resource) DO UPDATE SET version = excluded.version, at = excluded.at
