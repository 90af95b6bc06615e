vcl 4.1;

# A shared cache that trusts Cache-Control and Vary alone. By itself Varnish would never keep an
# answer to a request with credentials, nor give one a kept answer; here the server has to say so.
backend default {
  .host = "127.0.0.1";
  .port = "{origin}";
}

sub vcl_recv {
  if (req.method == "GET" || req.method == "HEAD") {
    return (hash);
  }
  return (pass);
}

sub vcl_backend_response {
  # An answer that is no longer fresh is worth keeping, to ask whether it still holds.
  set beresp.keep = 1h;
}

sub vcl_deliver {
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  } else {
    set resp.http.X-Cache = "MISS";
  }
}
