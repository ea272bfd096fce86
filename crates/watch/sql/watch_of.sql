SELECT id, every, least, most, judged, missed, gone_after, is_gone, calm FROM watch WHERE resource = $1
