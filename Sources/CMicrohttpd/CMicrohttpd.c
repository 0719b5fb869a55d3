#define _GNU_SOURCE // accept4
#include "CMicrohttpd.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

// libmicrohttpd logs a line with this prefix before it rejects a request.
static const char rejection_line[] = "Error processing request";

static void log_line(void *context, const char *format, va_list arguments) {
  const struct carousel_daemon *daemon = context;
  if (strncmp(format, rejection_line, sizeof rejection_line - 1) == 0) {
    va_list copy;
    va_copy(copy, arguments);
    unsigned int status = va_arg(copy, unsigned int);
    const char *page = va_arg(copy, const char *);
    daemon->reject(daemon->context, status, page != NULL && strstr(page, "Content-Length") != NULL);
    va_end(copy);
  }
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  size_t length = strlen(line);
  while (length > 0 && line[length - 1] == '\n') line[--length] = 0;
  daemon->log(daemon->context, line);
}

// The router splits the path first, and then decodes the segments.
static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

struct MHD_Daemon *carousel_start(const struct carousel_daemon *daemon) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME
          | MHD_USE_ERROR_LOG,
      0, NULL, NULL, daemon->handle, daemon->context,
      // The logger comes first, so that it gets messages about the other options.
      MHD_OPTION_EXTERNAL_LOGGER, log_line, (void *)daemon,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, daemon->connection_memory,
      MHD_OPTION_CONNECTION_LIMIT, daemon->connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, daemon->idle_timeout,
      MHD_OPTION_NOTIFY_CONNECTION, daemon->notify_connection, daemon->context,
      MHD_OPTION_NOTIFY_COMPLETED, daemon->notify_completed, daemon->context,
      MHD_OPTION_URI_LOG_CALLBACK, daemon->begin, daemon->context,
      MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
      // In 0.9.75 the sign is reversed: -1 is strict.
      MHD_OPTION_STRICT_FOR_CLIENT, -1,
      MHD_OPTION_END);
}

void *carousel_connection_context(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

int carousel_accept(int socket, struct sockaddr *address, socklen_t *length) {
  return accept4(socket, address, length, SOCK_CLOEXEC);
}

int carousel_connection_socket(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

const struct sockaddr *carousel_connection_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}

void carousel_ignore_cookies(struct MHD_Connection *connection) {
  MHD_set_connection_value_n(connection, MHD_HEADER_KIND, "Cookie", 6, "", 0);
}

void carousel_ignore_expectation(struct MHD_Connection *connection) {
  // libmicrohttpd looks the value up again, in this memory of the connection.
  char *value = (char *)MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Expect");
  if (value != NULL) value[0] = 0;
}

bool carousel_has_unhandled_length(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *status =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL
      && (status == NULL || status->http_status == 0)
      && MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length") != NULL;
}

void carousel_end_with_connection(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

size_t carousel_head_size(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
}
