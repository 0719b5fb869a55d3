vcl 4.1;

# Varnish in front of carousel:
#
#   varnishd -f /etc/varnish/carousel.vcl -a :80 -s malloc,1g -p thread_queue_limit=2000
#
# Varnish obeys Cache-Control. It caches windows at a given revision until it needs the space, and
# other answers as long as --fresh-for says. It sends simultaneous requests for one address only once.
#
# This file drops Authorization. Do not use it with --closed.

backend default {
  .host = "127.0.0.1";
  .port = "8080";
  .max_connections = 8000;
  # Longer than the interval between heartbeats of an event stream.
  .between_bytes_timeout = 60s;
  .probe = {
    .url = "/readyz";
    .interval = 5s;
    .initial = 3;
  }
}

sub vcl_recv {
  # Probes and metrics are not public. A percent-encoded first path segment could hide them, so it is
  # rejected too. No valid path has one.
  if (req.url ~ "^/(metrics|livez|readyz)(\?|$)" || req.url ~ "^/[^/?]*%") {
    return (synth(404));
  }
  # Event streams and edits pass without the cache.
  if (req.url ~ "^/events(\?|$)" || (req.method != "GET" && req.method != "HEAD")) {
    return (pass);
  }
  # Answers do not depend on cookies or tokens.
  unset req.http.Cookie;
  unset req.http.Authorization;
  return (hash);
}

sub vcl_backend_response {
  # A cached answer must not keep the id of the request that fetched it.
  if (!beresp.uncacheable) {
    unset beresp.http.X-Request-Id;
  }
}

sub vcl_deliver {
  if (req.http.X-Request-Id ~ "^[A-Za-z0-9._~+/=:@-]{1,128}$") {
    set resp.http.X-Request-Id = req.http.X-Request-Id;
  }
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  } else {
    set resp.http.X-Cache = "MISS";
  }
}
