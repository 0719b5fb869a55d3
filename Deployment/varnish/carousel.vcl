vcl 4.1;

# Varnish in front of carousel:
#
#   varnishd -f /etc/varnish/carousel.vcl -a :80 -s malloc,1g -p thread_queue_limit=2000
#
# A window at a given revision is kept for as long as there is room; what --fresh-for lets be kept,
# for so long; all else is asked for each time: Varnish does by itself what Cache-Control says. What a
# hundred readers ask for at once is asked for once.

backend default {
  .host = "127.0.0.1";
  .port = "8080";
  .max_connections = 8000;
  # Longer than the silence between two heartbeats of an event stream.
  .between_bytes_timeout = 60s;
  .probe = {
    .url = "/readyz";
    .interval = 5s;
    .initial = 3;
  }
}

sub vcl_recv {
  # The server's own probes are for those inside alone, however they are spelled: no first part of a path has
  # escapes.
  if (req.url ~ "^/(metrics|livez|readyz)(\?|$)" || req.url ~ "^/[^/?]*%") {
    return (synth(404));
  }
  # Events go through as they come, and changes as they are.
  if (req.url ~ "^/events(\?|$)" || (req.method != "GET" && req.method != "HEAD")) {
    return (pass);
  }
  # Cookies and tokens change nothing of what is read.
  unset req.http.Cookie;
  unset req.http.Authorization;
  return (hash);
}

sub vcl_backend_response {
  # The id of the request that fetched it is not that of its next reader.
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
