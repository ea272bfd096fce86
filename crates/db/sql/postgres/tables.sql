SELECT c.relname::text AS table_name, a.attname::text AS column_name, a.attidentity <> '' AS is_identity
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname <> 'schema_version' AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.oid, a.attnum
