SELECT id, url FROM resource WHERE url LIKE '%://%@%'
