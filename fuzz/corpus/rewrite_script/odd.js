<!-- location
-->x
#!y
(a)/b/location;if(a)/b/.c;loc\u0061tion