UPDATE file SET bytes = $2, sha256 = $3, accepted_us = NULL WHERE id = $1
