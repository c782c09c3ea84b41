#!/bin/sh
# Started by Miniflare in the place of workerd (runtime.ts): notes the id that workerd will have, and becomes it.
echo $$ > "$GRATICULE_WORKERD_PID"
exec "$GRATICULE_WORKERD" "$@"
