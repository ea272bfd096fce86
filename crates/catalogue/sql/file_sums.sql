SELECT files, bytes, accepted FROM total
