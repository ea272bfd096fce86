SELECT state, tries, due_us, checked_us FROM copy WHERE file = $1 AND replica = $2
