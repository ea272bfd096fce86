SELECT learned FROM habit WHERE watch = $1
