#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <stdbool.h>
#include <stddef.h>

#include <microhttpd.h>

// What Swift cannot call by itself: functions with a variable number of arguments, and a logger that
// is handed a va_list. Nothing here decides anything.

/// How a daemon is to run, and whom it calls. It has to stay where it is until the daemon stopped.
struct carousel_daemon {
  /// Handed to each of the functions below.
  void *context;

  /// Bytes of memory that a connection has for a head and a response's head.
  size_t connection_memory;
  unsigned int connection_limit;
  /// Seconds without a byte either way.
  unsigned int idle_timeout;

  MHD_AccessHandlerCallback handle;
  MHD_NotifyConnectionCallback notify_connection;
  MHD_RequestCompletedCallback notify_completed;
  /// Called with a request's target as sent, before anything in it is changed.
  void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
  /// Called when the library is about to answer a request by itself, with the status it will say. Whose
  /// request it is, it does not tell.
  void (*refuse)(void *context, unsigned int status);
  /// Called with a line of text without its end.
  void (*log)(void *context, const char *message);
};

/// Starts a daemon with one thread that listens nowhere: connections are given to it.
/// NULL where that fails.
struct MHD_Daemon *carousel_start(const struct carousel_daemon *daemon);

/// What notify_connection stored for the connection.
void *carousel_connection_context(struct MHD_Connection *connection);

/// The connection's socket.
int carousel_connection_socket(struct MHD_Connection *connection);

/// Whether a client has sent something on the socket and got nothing, and the connection was ended at this
/// end. False too where the socket is none of TCP.
bool carousel_was_left_unanswered(int socket);

/// Whether something has come on a socket that has got nothing yet, all of it has been read, and more may
/// come: where no request has begun, it is the beginning of a first line. False too where the socket is none
/// of TCP.
bool carousel_has_begun_a_line(int socket);

/// The address at the other end of the connection; NULL where it is not known.
const struct sockaddr *carousel_connection_peer(struct MHD_Connection *connection);

/// Keeps the library from parsing the cookies of the request that begins: it would copy them into the
/// connection's memory, and note each, for nobody. It looks at the first Cookie header alone, and this
/// is an empty one.
void carousel_ignore_cookies(struct MHD_Connection *connection);

/// Keeps the library from answering 100 to the request, whose head it has handed over: where no body comes
/// it would take what follows for one. The value of Expect is gone afterwards.
void carousel_ignore_expectation(struct MHD_Connection *connection);

/// Whether the connection has a request whose head has come to its empty line.
bool carousel_has_whole_head(struct MHD_Connection *connection);

/// The status of the response that the connection sends; 0 where there is none.
unsigned int carousel_status(struct MHD_Connection *connection);

/// The value of the request's first header of this name, and its length; NULL where there is none.
const char *carousel_field(
    struct MHD_Connection *connection, const char *name, size_t *length);

/// Has the response, which nobody sends yet, end with its connection and not be sent in chunks: the library
/// sends the last of these to a HEAD, too.
void carousel_end_with_connection(struct MHD_Response *response);

/// Bytes from the request's method to the end of its empty line.
size_t carousel_head_size(struct MHD_Connection *connection);

#endif
