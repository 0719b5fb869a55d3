// A bare server with libmicrohttpd. MODEL is one of the three ways to distribute connections to threads:
//
//   threads MODEL THREADS BYTES
//
//   acceptor    one thread accepts, and gives each connection to the daemon with the fewest
//   reuseport   each daemon has its own listening socket, and the kernel selects one (SO_REUSEPORT)
//   pool        the library's thread pool: its threads share one listening socket
//
// Each response is 200 with the same BYTES, so that only the library is measured. The server prints its
// port. For each line on standard input it prints the number of connections of each thread.

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

static struct MHD_Response *response;
static struct MHD_Daemon *daemons[MOST];
static atomic_int connections[MOST];
static atomic_int threads_seen;
static _Thread_local int own = -1;

// The calling thread's index in `connections`, in the order of the threads' first calls.
static int place(void) {
  if (own < 0) own = atomic_fetch_add(&threads_seen, 1) % MOST;
  return own;
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state) {
  (void)context, (void)url, (void)method, (void)version, (void)data, (void)size;
  if (*state == NULL) {
    *state = response;
    return MHD_YES;
  }
  return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

static void notify(void *number, struct MHD_Connection *connection, void **state,
                   enum MHD_ConnectionNotificationCode event) {
  (void)connection, (void)state;
  // If each daemon is a thread, it has a number. The threads of a pool share a daemon without one.
  int mine = number == NULL ? place() : (int)(size_t)number - 1;
  atomic_fetch_add(&connections[mine], event == MHD_CONNECTION_NOTIFY_STARTED ? 1 : -1);
}

static struct MHD_Daemon *start(unsigned flags, int socket, unsigned pool, size_t number) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | flags, 0, NULL, NULL, answer, NULL,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)20288, MHD_OPTION_NOTIFY_CONNECTION, notify,
      (void *)number, MHD_OPTION_CONNECTION_TIMEOUT, 60,
      socket < 0 ? MHD_OPTION_CONNECTION_LIMIT : MHD_OPTION_LISTEN_SOCKET, socket < 0 ? 1000 : socket,
      pool > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_CONNECTION_LIMIT, pool > 1 ? pool : 1000,
      MHD_OPTION_END);
}

static int listening(unsigned short *port) {
  int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
  socklen_t length = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
  if (bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 1024) != 0) {
    perror("listen");
    exit(69);
  }
  getsockname(fd, (struct sockaddr *)&address, &length);
  *port = ntohs(address.sin_port);
  return fd;
}

static void *tell(void *unused) {
  (void)unused;
  while (getchar() == '\n') {
    for (int n = 0; n < MOST; n++)
      if (connections[n] > 0) printf("%d ", connections[n]);
    puts("");
    fflush(stdout);
  }
  exit(0);
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  const char *model = arguments[1];
  unsigned threads = (unsigned)atoi(arguments[2]);
  size_t bytes = (size_t)atol(arguments[3]);
  if (threads < 1 || threads > MOST) return 64;
  char *body = malloc(bytes);
  memset(body, 'x', bytes);
  response = MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_PERSISTENT);
  MHD_add_response_header(response, "Content-Type", "application/json");

  unsigned short port = 0;
  int fd = listening(&port);
  int is_acceptor = strcmp(model, "acceptor") == 0;
  if (strcmp(model, "pool") == 0) {
    daemons[0] = start(0, fd, threads, 0);
  } else {
    for (unsigned n = 0; n < threads; n++)
      daemons[n] = is_acceptor ? start(MHD_USE_NO_LISTEN_SOCKET, -1, 1, n + 1)
                               : start(0, n == 0 ? fd : listening(&port), 1, n + 1);
  }
  printf("%d\n", port);
  fflush(stdout);
  pthread_t teller;
  pthread_create(&teller, NULL, tell, NULL);
  while (is_acceptor) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int yes = 1, client = accept(fd, (struct sockaddr *)&address, &length);
    if (client < 0) continue;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    unsigned least = 0;
    static int given[MOST];
    for (unsigned n = 1; n < threads; n++)
      if (given[n] < given[least]) least = n;
    given[least]++;
    MHD_add_connection(daemons[least], client, (struct sockaddr *)&address, length);
  }
  pause();
}
