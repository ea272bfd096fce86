-- The part before the slash, each once: from the first name of each on to the first behind all that begin with it. '0' comes right behind '/'.
WITH RECURSIVE job (name) AS (
    SELECT * FROM (SELECT substr(name, 1, strpos(name, '/') - 1) FROM file WHERE strpos(name, '/') > 1 ORDER BY name LIMIT 1) AS first
    UNION
    SELECT (
        SELECT substr(file.name, 1, strpos(file.name, '/') - 1) FROM file WHERE file.name >= job.name || '0' AND strpos(file.name, '/') > 1 ORDER BY file.name LIMIT 1
    )
    FROM job WHERE job.name IS NOT NULL
)
SELECT name FROM job WHERE name IS NOT NULL
