SELECT look.outcome FROM look JOIN watch ON watch.resource = look.resource WHERE watch.id = $1 ORDER BY look.at DESC, look.id DESC LIMIT $2
