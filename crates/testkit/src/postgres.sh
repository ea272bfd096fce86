# Runs a PostgreSQL server as long as its standard input is open: who holds the other end may crash, and nothing goes on running.
# usage: sh postgres.sh PROGRAMS TEMPLATE FOLDER; reads `start` and `stop`, a line each, and answers each by `done`.
programs=$1 template=$2 folder=$3
stop() { "$programs/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1; }
if ! [ -d "$template" ]; then
    "$programs/initdb" -D "$folder/new" -U varve -A trust -E UTF8 --locale=C.UTF-8 --no-sync --wal-segsize=1 -k >"$folder/initdb.log" 2>&1
    mv -T "$folder/new" "$template" 2>/dev/null || rm -rf "$folder/new"
fi
cp -a "$template" "$folder/data"
while read -r word; do
    case $word in
    start)
        "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w -o "-k '$folder' -c listen_addresses= -c fsync=off -c shared_buffers=16MB \
            -c max_connections=100 -c max_wal_size=64MB" start >/dev/null 2>&1 && echo done || echo failed
        ;;
    stop) stop; echo done ;;
    esac
done
stop
rm -rf "$folder"
