UPDATE copy SET due_us = $1 WHERE state IN ('wanted', 'uploading', 'uploaded', 'failed') AND due_us > $1
