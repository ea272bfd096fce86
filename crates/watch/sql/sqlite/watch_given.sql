UPDATE given SET watch = max(watch, ?1)
