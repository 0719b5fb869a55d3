#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <stdbool.h>
#include <stddef.h>

#include <microhttpd.h>

// Wraps the functions of libmicrohttpd that Swift cannot call: variadic functions, and a logger
// with a va_list. Also wraps a few system calls on sockets.

/// The configuration and the callbacks of a daemon. It must stay at its address until the daemon has
/// stopped.
struct carousel_daemon {
  /// The first argument of each callback.
  void *context;

  /// The memory of a connection for the heads of a request and its response, in bytes.
  size_t connection_memory;
  unsigned int connection_limit;
  /// The time in seconds after which a connection without any traffic is closed.
  unsigned int idle_timeout;

  MHD_AccessHandlerCallback handle;
  MHD_NotifyConnectionCallback notify_connection;
  MHD_RequestCompletedCallback notify_completed;
  /// Called with the target of a request as sent, before libmicrohttpd modifies it.
  void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
  /// Called when libmicrohttpd is about to reject a request with `status`. libmicrohttpd does not say
  /// which request.
  void (*reject)(void *context, unsigned int status, bool is_for_length);
  /// Called with a log line without its line end.
  void (*log)(void *context, const char *message);
};

/// Starts a daemon with one thread and no listening socket. NULL if that fails.
struct MHD_Daemon *carousel_start(const struct carousel_daemon *daemon);

/// Returns the pointer that notify_connection stored for the connection.
void *carousel_connection_context(struct MHD_Connection *connection);

/// Accepts a connection that no program which another thread starts inherits: `accept4`, which Swift does not see.
int carousel_accept(int socket, struct sockaddr *address, socklen_t *length);

int carousel_connection_socket(struct MHD_Connection *connection);

/// NULL if the address is unknown.
const struct sockaddr *carousel_connection_peer(struct MHD_Connection *connection);

/// Adds an empty Cookie header when the request begins: libmicrohttpd parses only the first one.
void carousel_ignore_cookies(struct MHD_Connection *connection);

/// Clears the value of Expect, so that libmicrohttpd sends no 100 for a request without a body.
/// After a 100 it would parse the next request as the body.
void carousel_ignore_expectation(struct MHD_Connection *connection);

/// Whether the request has a complete head with a Content-Length, and no response.
bool carousel_has_unhandled_length(struct MHD_Connection *connection);

/// Sends the response without chunks: libmicrohttpd would answer HEAD with the last chunk. The
/// response must not be in use.
void carousel_end_with_connection(struct MHD_Response *response);

/// The number of bytes from the request's method to the end of its empty line.
size_t carousel_head_size(struct MHD_Connection *connection);

#endif
