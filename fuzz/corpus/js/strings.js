var a="http://x.org/a",b='/b/c.png',c=`d/e.js`,d=`f${g({h:`${i}`},"/j/k.png")}l`;// it's
/* " */e=/['"/]/g.test(f)?"\/m\/n.js":"\u002fo\x2fp.js"