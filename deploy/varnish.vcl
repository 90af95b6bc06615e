vcl 4.1;

# A shared cache in front of cartwright. It keeps public responses and drops them as soon as something that they show
# has changed. Settings of cartwright:
#   CACHE_TAGS=surrogate-key
#   CACHE_PURGE_URL=http://127.0.0.1:6081/.cache-purge
# docs/deployment.md describes how Varnish, nginx and the processes fit together.
import std;

# nginx of deploy/nginx.conf, or one process.
backend default {
  .host = "127.0.0.1";
  .port = "8080";
}

# The hosts of cartwright, which may purge.
acl purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.url == "/.cache-purge") {
    if (req.method != "POST" || client.ip !~ purgers || req.http.X-Forwarded-For ~ ",") {
      return (synth(403));
    }
    if (req.http.Surrogate-Key !~ "^[a-z0-9-]+( [a-z0-9-]+)*$") {
      return (synth(400));
    }
    if (!std.ban("obj.http.X-Keys ~ ," + "(" + regsuball(req.http.Surrogate-Key, " ", "|") + "),")) {
      return (synth(500));
    }
    return (synth(200));
  }
  # Whoever sends a credential gets an answer of the server.
  if (req.http.Authorization || req.http.Cookie || req.url ~ "[?&]api_key=") {
    return (pass);
  }
}

sub vcl_backend_response {
  # The form in which keys are compared; only what the server calls public is kept (builtin.vcl).
  if (beresp.http.Surrogate-Key) {
    set beresp.http.X-Keys = "," + regsuball(beresp.http.Surrogate-Key, " ", ",") + ",";
    unset beresp.http.Surrogate-Key;
  }
}

sub vcl_deliver {
  unset resp.http.X-Keys;
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  } else {
    set resp.http.X-Cache = "MISS";
  }
}
