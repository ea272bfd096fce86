UPDATE given SET watch = CASE WHEN watch < $1 THEN $1 ELSE watch END
