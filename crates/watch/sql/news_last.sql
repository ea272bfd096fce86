SELECT coalesce(max(id), 0) AS last FROM news
