#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <stdbool.h>
#include <stddef.h>

#include <microhttpd.h>

// The parts of libmicrohttpd that Swift cannot call: variadic functions, and a logger with a va_list.
// It also has a few system calls on sockets. It makes no decisions.

/// The configuration and the callbacks of a daemon. It must stay at its address until the daemon has
/// stopped.
struct carousel_daemon {
  /// The first argument of each callback.
  void *context;

  /// Bytes of memory that a connection has for the heads of a request and its response.
  size_t connection_memory;
  unsigned int connection_limit;
  /// Seconds without a byte in either direction until a connection is closed.
  unsigned int idle_timeout;

  MHD_AccessHandlerCallback handle;
  MHD_NotifyConnectionCallback notify_connection;
  MHD_RequestCompletedCallback notify_completed;
  /// Called with a request's target as sent, before libmicrohttpd changes it.
  void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
  /// Called when libmicrohttpd is about to reject a request with `status`. libmicrohttpd does not say
  /// which request.
  void (*reject)(void *context, unsigned int status);
  /// Called with a log line without its line end.
  void (*log)(void *context, const char *message);
};

/// Starts a daemon with one thread and no listening socket. The caller adds its connections.
/// Returns NULL if that fails.
struct MHD_Daemon *carousel_start(const struct carousel_daemon *daemon);

/// Returns the pointer that notify_connection stored for the connection.
void *carousel_connection_context(struct MHD_Connection *connection);

/// Returns the socket of the connection.
int carousel_connection_socket(struct MHD_Connection *connection);

/// Whether the client has sent bytes, got none, and this side has closed the connection.
/// False for a socket that is not TCP.
bool carousel_closed_without_answer(int socket);

/// Whether the client has sent bytes, got none, all of them are read, and it may send more. If no
/// request has begun, the bytes are the beginning of a request line.
/// False for a socket that is not TCP.
bool carousel_has_partial_line(int socket);

/// Returns the address of the client. NULL if it is unknown.
const struct sockaddr *carousel_connection_peer(struct MHD_Connection *connection);

/// Prevents libmicrohttpd from parsing the cookies of the request that begins, which costs memory and
/// time. libmicrohttpd parses the first Cookie header only, so this adds an empty one.
void carousel_ignore_cookies(struct MHD_Connection *connection);

/// Prevents libmicrohttpd from sending 100 for a request without a body: it would parse the next
/// request as the body. Clears the value of Expect.
void carousel_ignore_expectation(struct MHD_Connection *connection);

/// Whether the connection has received a complete head.
bool carousel_has_whole_head(struct MHD_Connection *connection);

/// Returns the status of the response that the connection sends; 0 for none.
unsigned int carousel_status(struct MHD_Connection *connection);

/// Returns the value of the request's first header `name`, and its length. NULL if there is none.
const char *carousel_field(
    struct MHD_Connection *connection, const char *name, size_t *length);

/// Makes the response end with its connection and not in chunks, because libmicrohttpd sends the last
/// chunk to HEAD, too. The response must not be in use.
void carousel_end_with_connection(struct MHD_Response *response);

/// Returns the number of bytes from the request's method to the end of its empty line.
size_t carousel_head_size(struct MHD_Connection *connection);

#endif
