// SQLite: https://www.sqlite.org/c3ref/intro.html
#include <sqlite3.h>
