UPDATE copy SET due_at = ?1 WHERE state IN ('wanted', 'uploading', 'uploaded', 'failed') AND due_at > ?1
