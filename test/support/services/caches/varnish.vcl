vcl 4.1;

# A shared cache that follows Cache-Control and Vary alone. By default Varnish bypasses its cache
# for requests with credentials; here the server's response headers decide.
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
  # Keep stale responses for revalidation.
  set beresp.keep = 1h;
}

sub vcl_deliver {
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  } else {
    set resp.http.X-Cache = "MISS";
  }
}
