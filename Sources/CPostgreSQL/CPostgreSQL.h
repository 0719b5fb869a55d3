// libpq, the client library of PostgreSQL: https://www.postgresql.org/docs/current/libpq.html
#include <libpq-fe.h>
