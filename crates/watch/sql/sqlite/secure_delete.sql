PRAGMA secure_delete = ON
